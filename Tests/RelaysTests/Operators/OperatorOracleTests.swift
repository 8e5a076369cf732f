import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `Operators agree with naive implementations` {
  private typealias Run = Step.Run

  /// Sends `input` and compares after each value, and after the end.
  private func check(_ steps: [Step], _ input: [Int], isState: Bool) {
    guard let first = input.first ?? (isState ? nil : 0) else { return }
    let source = isState ? Source(first) : Source()
    let listener = Listener(steps(source.signal))
    let start = isState ? 1 : 0
    for count in start...input.count {
      if count > start { source.send(input[count - 1]) }
      let expected = steps(Run(values: Array(input[..<count]), hasEnded: false))
      expectEqual(listener.values, expected.values, "values after \(count)")
      expectEqual(listener.hasEnded, expected.hasEnded, "end after \(count)")
      if !isState { expectEqual(source.hasSubscribers, !expected.hasEnded, "subscribed") }
    }
    source.go()
    let expected = steps(Run(values: input, hasEnded: true))
    expectEqual(Run(values: listener.values, hasEnded: listener.hasEnded), expected)
    expectTrue(listener.isProper)
  }

  @Test(.oneThread) func `Each operator agrees on all short inputs`() {
    withEvery("step", in: Step.allCases) { step in
      withEvery("input", in: sequences(of: [0, 1, 2, 4], upTo: 4)) { input in
        check([step], input, isState: false)
        check([step], input, isState: true)
      }
    }
  }

  @Test(.oneThread) func `Each two operators agree on all shorter inputs`() {
    withEvery("first", in: Step.allCases) { first in
      withEvery("second", in: Step.allCases) { second in
        withEvery("input", in: sequences(of: [0, 1], upTo: 3)) { input in
          check([first, second], input, isState: false)
          check([first, second], input, isState: true)
        }
      }
    }
  }

  @Test func `Random chains agree on random inputs`() {
    withEvery("seed", in: seeds(3_000)) { seed in
      var generator = SeededGenerator(seed: seed)
      let steps = randomSteps(upTo: 6, &generator)
      let input = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        Int.random(in: 0...4, using: &generator)
      }
      check(steps, input, isState: generator.chance(0.5))
    }
  }

  @Test func `Each subscription of a random chain has a state of its own`() {
    withEvery("seed", in: seeds(1_000)) { seed in
      var generator = SeededGenerator(seed: seed)
      // Each operator is the first of some chains.
      let first = Step.allCases[seed % Step.allCases.count]
      let steps = ([first] + randomSteps(upTo: 3, &generator)).filter {
        $0 != .share && $0 != .shareLast
      }
      let relay = Relay<Int>()
      let signal = steps(relay.signal)
      var open: [(listener: Listener<Int>, input: [Int])] = []
      var closed = open
      for _ in 0..<20 {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: open.append((Listener(signal), []))
        case 1 where !open.isEmpty:
          let index = Int.random(in: open.indices, using: &generator)
          open[index].listener.cancel()
          closed.append(open.remove(at: index))
        default:
          let value = Int.random(in: 0...4, using: &generator)
          relay.send(value)
          for index in open.indices { open[index].input.append(value) }
        }
      }
      for (listener, input) in open + closed {
        let expected = steps(Run(values: input, hasEnded: false))
        expectEqual(Run(values: listener.values, hasEnded: listener.hasEnded), expected)
        expectTrue(listener.isProper)
      }
    }
  }

  private func randomSteps(upTo count: Int, _ generator: inout SeededGenerator) -> [Step] {
    (0..<Int.random(in: 0...count, using: &generator)).compactMap { _ in
      Step.allCases.randomElement(using: &generator)
    }
  }

  // MARK: Several publishers

  /// Publishers and what happens to them, with the signals made of them.
  private struct Scene {
    let sources: [Source]
    let model: Junctions

    init(_ count: Int, _ generator: inout SeededGenerator) {
      var next = 0
      func value() -> Int {
        next += 1
        return next
      }
      let first = (0..<count).map { _ in generator.chance(0.4) ? value() : nil }
      let script = (0..<Int.random(in: 0...14, using: &generator)).map { _ -> Action in
        let index = Int.random(in: 0..<count, using: &generator)
        return generator.chance(0.15) ? .go(index) : .send(value(), to: index)
      }
      sources = first.map { $0.map { Source($0) } ?? Source() }
      model = Junctions(first: first, script: script)
    }

    /// Does what the script says.
    func run() {
      for action in model.script {
        switch action {
        case .send(let value, let index): sources[index].send(value)
        case .go(let index): sources[index].go()
        }
      }
    }
  }

  @Test func `merge agrees on random scripts, also below random chains`() {
    withEvery("seed", in: seeds(2_000)) { seed in
      var generator = SeededGenerator(seed: seed)
      let scene = Scene(Int.random(in: 1...4, using: &generator), &generator)
      let steps = randomSteps(upTo: 3, &generator)
      let merged = Signal.merge(scene.sources.map(\.signal))
      let (plain, chain) = (Listener(merged), Listener(steps(merged)))
      scene.run()
      let expected = scene.model.merged()
      expectEqual(Run(values: plain.values, hasEnded: plain.hasEnded), expected)
      expectEqual(Run(values: chain.values, hasEnded: chain.hasEnded), steps(expected))
      expectTrue(plain.isProper && chain.isProper)
      withExtendedLifetime(scene) {}
    }
  }

  @Test func `combineLatest agrees on random scripts, in all of its forms`() {
    withEvery("count", in: [1, 2, 3, 5]) { count in
      withEvery("seed", in: seeds(1_000)) { seed in
        var generator = SeededGenerator(seed: seed)
        let scene = Scene(count, &generator)
        let signals = scene.sources.map(\.signal)
        let combined: Signal<[Int]> =
          switch count {
          case 1: combineLatest(signals[0]).map { [$0] }
          case 2: combineLatest(signals[0], signals[1]).map { [$0, $1] }
          case 3: combineLatest(signals[0], signals[1], signals[2]).map { [$0, $1, $2] }
          default:
            combineLatest(signals[0], signals[1], signals[2], signals[3], signals[4])
              .map { [$0, $1, $2, $3, $4] }
          }
        let listener = Listener(combined)
        let array = Listener(Signal.combineLatest(signals))
        scene.run()
        let expected = scene.model.combined()
        expectEqual(listener.values, expected.values)
        expectEqual(listener.hasEnded, expected.hasEnded)
        expectTrue(listener.isProper)
        expectEqual(array.values, expected.values)
        expectEqual(array.hasEnded, expected.hasEnded)
        expectTrue(array.isProper)
        withExtendedLifetime(scene) {}
      }
    }
  }

  @Test func `withLatest agrees on random scripts`() {
    withEvery("seed", in: seeds(2_000)) { seed in
      var generator = SeededGenerator(seed: seed)
      let scene = Scene(2, &generator)
      let signals = scene.sources.map(\.signal)
      let listener = Listener(signals[0].withLatest(from: signals[1]).map { [$0, $1] })
      scene.run()
      let expected = scene.model.withLatest()
      expectEqual(listener.values, expected.values)
      expectEqual(listener.hasEnded, expected.hasEnded)
      expectTrue(listener.isProper)
      withExtendedLifetime(scene) {}
    }
  }
}

import Relays
import TestSupport

/// A naive operator over arrays, and the real one.
enum Step: Sendable, Hashable, CaseIterable {
  case map, compactMap, filter, scan, removeDuplicates, removeNear
  case first, firstEven, prefix0, prefix1, prefix2, prefix5
  case dropFirst0, dropFirst1, dropFirst3
  case share, shareLast, print, mergeOne, combineOne, combineArray, create, switchOne
  case prefixWhile, pairs

  /// What comes of values, and whether no more can come.
  struct Run: Equatable, Sendable {
    var values: [Int]
    var hasEnded: Bool
  }

  /// What the operator makes of all values so far.
  func callAsFunction(_ run: Run) -> Run {
    let input = run.values
    switch self {
    case .map: return Run(values: input.map { $0 + 1 }, hasEnded: run.hasEnded)
    case .compactMap:
      return Run(values: input.compactMap { $0 == 1 ? nil : $0 * 2 }, hasEnded: run.hasEnded)
    case .filter:
      return Run(values: input.filter { $0.isMultiple(of: 2) }, hasEnded: run.hasEnded)
    case .scan:
      let totals = input.indices.map { input[...$0].reduce(1, +) }
      return Run(values: totals, hasEnded: run.hasEnded)
    case .removeDuplicates:
      let kept = input.indices.filter { $0 == 0 || input[$0] != input[$0 - 1] }
      return Run(values: kept.map { input[$0] }, hasEnded: run.hasEnded)
    case .removeNear:
      let kept = input.reduce(into: [Int]()) { kept, value in
        if kept.last.map({ value >= $0 + 2 }) ?? true { kept.append(value) }
      }
      return Run(values: kept, hasEnded: run.hasEnded)
    case .first, .prefix1: return run.prefix(1)
    case .firstEven: return Step.filter(run).prefix(1)
    case .prefix0: return run.prefix(0)
    case .prefix2: return run.prefix(2)
    case .prefix5: return run.prefix(5)
    case .dropFirst0: return run
    case .dropFirst1: return Run(values: Array(input.dropFirst(1)), hasEnded: run.hasEnded)
    case .dropFirst3: return Run(values: Array(input.dropFirst(3)), hasEnded: run.hasEnded)
    case .prefixWhile:
      let values = Array(input.prefix { $0 < 3 })
      return Run(values: values, hasEnded: run.hasEnded || values.count < input.count)
    case .pairs:
      return Run(
        values: zip(input, input.dropFirst()).map { $0 * 10 + $1 }, hasEnded: run.hasEnded)
    case .share, .shareLast, .print, .mergeOne, .combineOne, .combineArray, .create, .switchOne:
      return run
    }
  }

  /// The operator itself.
  func callAsFunction(_ signal: Signal<Int>) -> Signal<Int> {
    switch self {
    case .map: signal.map { $0 + 1 }
    case .compactMap: signal.compactMap { $0 == 1 ? nil : $0 * 2 }
    case .filter: signal.filter { $0.isMultiple(of: 2) }
    case .scan: signal.scan(1) { $0 + $1 }
    case .removeDuplicates: signal.removeDuplicates()
    case .removeNear: signal.removeDuplicates { $1 < $0 + 2 }
    case .first: signal.first()
    case .firstEven: signal.first { $0.isMultiple(of: 2) }
    case .prefix0: signal.prefix(0)
    case .prefix1: signal.prefix(1)
    case .prefix2: signal.prefix(2)
    case .prefix5: signal.prefix(5)
    case .dropFirst0: signal.dropFirst(0)
    case .dropFirst1: signal.dropFirst()
    case .dropFirst3: signal.dropFirst(3)
    case .share: signal.share()
    case .print: signal.print(to: { _ in })
    case .shareLast: signal.share(replayingLast: true)
    case .prefixWhile: signal.prefix { $0 < 3 }
    case .pairs: signal.adjacentPairs().map { $0.old * 10 + $0.new }
    case .combineArray: Signal.combineLatest([signal]).map { $0[0] }
    case .create:
      .create { send, end in
        let token = signal.handleEvents(receiveEnd: end).subscribe { send($0) }
        return { token.cancel() }
      }
    case .switchOne:
      Signal<Signal<Int>>.create { send, end in
        send(signal)
        end()
        return {}
      }
      .switchToLatest()
    case .mergeOne: .merge([signal])
    case .combineOne: combineLatest(signal)
    }
  }
}

extension Step.Run {
  func prefix(_ count: Int) -> Step.Run {
    Step.Run(values: Array(values.prefix(count)), hasEnded: hasEnded || values.count >= count)
  }
}

extension [Step] {
  func callAsFunction(_ run: Step.Run) -> Step.Run { reduce(run) { $1($0) } }

  func callAsFunction(_ signal: Signal<Int>) -> Signal<Int> { reduce(signal) { $1($0) } }
}

/// What happens to publishers, one after another.
enum Action: Sendable {
  case send(Int, to: Int)
  case go(Int)
}

/// The naive meaning of operators on several publishers.
struct Junctions {
  /// The first value of each publisher that has one.
  let first: [Int?]
  let script: [Action]

  /// What happens from the subscription on: the values that are there come first.
  private var events: [Action] {
    first.indices.compactMap { index in first[index].map { .send($0, to: index) } } + script
  }

  func merged() -> Step.Run {
    var (values, open): ([Int], Set<Int>) = ([], Set(first.indices))
    for event in events {
      switch event {
      case .send(let value, let index): if open.contains(index) { values.append(value) }
      case .go(let index): open.remove(index)
      }
    }
    return Step.Run(values: values, hasEnded: open.isEmpty)
  }

  /// All combinations, and whether there can be no more.
  func combined() -> (values: [[Int]], hasEnded: Bool) {
    var latest = first.map { _ in Int?.none }
    var (values, open, isEmpty): ([[Int]], Set<Int>, Bool) = ([], Set(first.indices), false)
    for event in events {
      switch event {
      case .send(let value, let index):
        guard open.contains(index) else { continue }
        latest[index] = value
        let known = latest.compactMap { $0 }
        if known.count == latest.count { values.append(known) }
      case .go(let index):
        open.remove(index)
        if latest[index] == nil { isEmpty = true }
      }
    }
    return (values, open.isEmpty || isEmpty)
  }

  /// The values of publisher 0 with the latest of publisher 1.
  func withLatest() -> (values: [[Int]], hasEnded: Bool) {
    var latest = first[1]
    var values = [first[0], first[1]].contains(nil) ? [] : [[first[0] ?? 0, first[1] ?? 0]]
    var open: Set = [0, 1]
    for event in script {
      switch event {
      case .send(let value, 0):
        if let latest, open.contains(0) { values.append([value, latest]) }
      case .send(let value, _): if open.contains(1) { latest = value }
      case .go(let index): open.remove(index)
      }
    }
    return (values, !open.contains(0))
  }
}

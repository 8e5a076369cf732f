import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `R6: loops over operators end` {
  @Test func `R6 A loop over a merge or a share ends after the last value, while the relay lives`()
    async
  {
    let relay = Relay<Int>()
    let signals = [relay.prefix(2).merge(with: relay.first()), relay.prefix(2).share()]
    for (signal, expected) in zip(signals, [[1, 1, 2], [1, 2]]) {
      let values = signal.values()
      for value in 1...4 { relay.send(value) }
      var seen: [Int] = []
      for await value in values { seen.append(value) }
      #expect(seen == expected)
    }
    #expect(!relay.hasSubscribers)
  }

  @Test(arguments: OperatorForm.all)
  func `R6 A loop ends when the upstreams have ended, after the values sent before`(
    form: OperatorForm
  ) async {
    var iterator: AsyncStream<Int>.Iterator
    do {
      let relay = Relay<Int>()
      let company = OperatorForm.Company()
      iterator = form.apply(relay.signal, company).values().makeAsyncIterator()
      for value in 1...3 { relay.send(value) }
    }
    var seen: [Int] = []
    while let value = await iterator.next() { seen.append(value) }
    #expect(seen == (form.name.hasPrefix("first") ? [1] : [1, 2, 3]))
  }

  @Test(arguments: OperatorForm.ofOne)
  func `R6 The end comes once, through a chain, and with an upstream that had ended`(
    form: OperatorForm
  ) {
    let company = OperatorForm.Company()
    let source = Source()
    let chain = form.apply(form.apply(source.signal.dropFirst(0), company), company)
    let listener = Listener(chain)
    source.send(1)
    source.go()
    #expect(listener.values == [1] && listener.hasEnded && listener.isProper)
    let gone = Listener(form.apply(Relay<Int>().signal, company))
    #expect(gone.values == [] && gone.hasEnded && gone.isProper)
    let state = Listener(form.apply(StateRelay(1).signal, company))
    #expect(state.values == [1] && state.hasEnded && state.isProper)
  }

  @Test(arguments: OperatorForm.all)
  func `R6 An upstream that is released in a callback delivers what was queued, then ends`(
    form: OperatorForm
  ) {
    let company = OperatorForm.Company()
    let source = Source()
    let others = Box<OperatorForm.Company?>(company)
    let signal = form.apply(source.signal, company)
    let listener = Listener(signal) { value in
      guard value == 1 else { return }
      source.send(2)
      source.send(3)
      source.go()
      others.value = nil
    }
    source.send(1)
    #expect(listener.values == (form.name.hasPrefix("first") ? [1] : [1, 2, 3]))
    let isAlone =
      [
        "merge", "combineLatest", "combineLatest of three", "combineLatest of all",
        "switchToLatest",
      ].contains(form.name)
    #expect(listener.hasEnded == !isAlone)
    #expect(listener.isProper)
    withExtendedLifetime(company) {}
  }

  @Test(arguments: OperatorForm.all)
  func `R6 A StateRelay that is released during its first value delivers what was queued`(
    form: OperatorForm
  ) {
    let source = Source(1)
    let others = Box<OperatorForm.Company?>(OperatorForm.Company())
    guard let signal = others.value.map({ form.apply(source.signal, $0) }) else { return }
    let listener = Listener(signal) { value in
      guard value == 1 else { return }
      source.send(2)
      source.send(3)
      source.go()
      others.value = nil
    }
    #expect(listener.values == (form.name.hasPrefix("first") ? [1] : [1, 2, 3]))
    #expect(listener.hasEnded && listener.isProper)
  }

  @Test func `R6 Leaving a loop unsubscribes from all publishers`() async {
    let relays = (0..<3).map { _ in Relay<Int>() }
    let signals = [
      relays[0].merge(with: relays[1], relays[2]),
      combineLatest(relays[0], relays[1], relays[2]).map { $0 + $1 + $2 },
      relays[0].withLatest(from: relays[1]).map { $0 + $1 },
      relays[0].share().print(to: { _ in }),
    ]
    for signal in signals {
      let values = signal.values()
      #expect(relays[0].hasSubscribers)
      for relay in relays.reversed() { relay.send(1) }
      for await _ in values { break }
      let isLeft = await becomesTrue { !relays.contains { $0.hasSubscribers } }
      #expect(isLeft)
    }
  }

  @Test func `R6 Publishers that end on several threads end a merge once`() {
    for _ in 0..<300 {
      let sources = (0..<3).map { _ in Source() }
      let listener = Listener(.merge(sources.map(\.signal)))
      let combined = Listener(
        combineLatest(sources[0].signal, sources[1].signal, sources[2].signal).map { $0.0 })
      onThreads(3) { index in
        sources[index].send(index)
        sources[index].go()
      }
      #expect(listener.values.sorted() == [0, 1, 2])
      #expect(listener.hasEnded && listener.isProper)
      #expect(combined.hasEnded && combined.isProper)
    }
  }
}

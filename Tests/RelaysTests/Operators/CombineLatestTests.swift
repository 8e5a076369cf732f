import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `combineLatest and withLatest` {
  @Test func `combineLatest waits for each publisher, then passes on each new combination`() {
    let (left, right) = (Relay<Int>(), Relay<String>())
    let log = Log<String>()
    let token = combineLatest(left, right).subscribe { log.note("\($0)\($1)") }
    left.send(1)
    left.send(2)
    #expect(log.isEmpty)
    right.send("a")
    right.send("b")
    left.send(3)
    #expect(log.entries == ["2a", "2b", "3b"])
    token.cancel()
  }

  @Test func `The method does what the function does`() {
    let (left, right) = (StateRelay(1), Relay<String>())
    let log = Log<String>()
    let token = left.combineLatest(right).subscribe { log.note("\($0.0)\($0.1)") }
    right.send("a")
    left.send(2)
    #expect(log.entries == ["1a", "2a"])
    token.cancel()
  }

  @Test func `One publisher alone gives its own values`() {
    let relay = StateRelay<Int?>(nil)
    let log = Log<Int?>()
    let token = combineLatest(relay).subscribe { log.note($0) }
    relay.send(1)
    relay.send(nil)
    #expect(log.entries == [nil, 1, nil])
    token.cancel()
  }

  @Test func `Three publishers of different types are combined in their order`() {
    let (first, second, third) = (Relay<Int>(), StateRelay("a"), Relay<Bool>())
    let log = Log<String>()
    let token = combineLatest(first, second, third).subscribe { log.note("\($0)\($1)\($2)") }
    third.send(true)
    first.send(1)
    second.send("b")
    third.send(false)
    first.send(2)
    #expect(log.entries == ["1atrue", "1btrue", "1bfalse", "2bfalse"])
    token.cancel()
  }

  @Test func `Five publishers are combined`() {
    let relays = (0..<5).map { StateRelay($0) }
    let log = Log<[Int]>()
    let token = combineLatest(relays[0], relays[1], relays[2], relays[3].signal, relays[4])
      .subscribe { log.note([$0, $1, $2, $3, $4]) }
    for index in 0..<5 { relays[index].send(10 + index) }
    let expected = (0...5).map { sent in (0..<5).map { $0 < sent ? 10 + $0 : $0 } }
    #expect(log.entries == expected)
    token.cancel()
  }

  @Test func `No publishers have no values, and end at once`() {
    let calls = Counter()
    let log = Log<String>()
    let token = combineLatest().print(to: { log.note($0) }).subscribe { _ in calls.add() }
    #expect(log.entries == ["receive subscription", "receive finished"])
    #expect(calls.value == 0)
    token.cancel()
  }

  @Test func `nil is a value like others`() {
    let (left, right) = (StateRelay<Int?>(nil), StateRelay<Int?>(nil))
    let log = Log<[Int?]>()
    let two = combineLatest(left, right).subscribe { log.note([$0, $1]) }
    let three = combineLatest(left, right, left).subscribe { log.note([$0, $1, $2]) }
    let with = left.withLatest(from: right).subscribe { log.note([$0, $1]) }
    #expect(log.entries == [[nil, nil], [nil, nil, nil], [nil, nil]])
    withExtendedLifetime((two, three, with)) {}
  }

  @Test func `R5 Publishers with values give exactly one combination before subscribe returns`() {
    let relays = (1...3).map { StateRelay($0) }
    let log = Log<[Int]>()
    let two = combineLatest(relays[0], relays[1]).subscribe { log.note([$0, $1]) }
    #expect(log.entries == [[1, 2]])
    let three = combineLatest(relays[0], relays[1], relays[2]).subscribe { log.note([$0, $1, $2]) }
    #expect(log.entries == [[1, 2], [1, 2, 3]])
    withExtendedLifetime((two, three)) {}
  }

  @Test func `A value that reaches two of the publishers gives two combinations`() {
    let relay = StateRelay(1)
    let log = Log<[Int]>()
    let token = combineLatest(relay, relay.map { -$0 }).subscribe { log.note([$0, $1]) }
    relay.send(2)
    #expect(log.entries == [[1, -1], [2, -1], [2, -2]])
    token.cancel()
  }

  @Test func `Each subscription has its own latest values`() {
    let (left, right) = (Relay<Int>(), Relay<Int>())
    let signals: [Signal<[Int]>] = [
      left.combineLatest(right).map { [$0, $1] },
      combineLatest(left, right, right).map { [$0.0, $0.1] },
      left.withLatest(from: right).map { [$0, $1] },
    ]
    let early = signals.map { Listener($0) }
    right.send(1)
    let late = signals.map { Listener($0) }
    left.send(2)
    #expect(early.map(\.values) == [[[2, 1]], [[2, 1]], [[2, 1]]])
    #expect(late.map(\.values) == [[], [], []])
  }

  @Test func `R6 combineLatest ends when all publishers have ended`() {
    let sources = [Source(), Source(), Source()]
    let two = Listener(combineLatest(sources[0].signal, sources[1].signal).map { [$0, $1] })
    let three = Listener(
      combineLatest(sources[0].signal, sources[1].signal, sources[2].signal).map { [$0, $1, $2] })
    for source in sources { source.send(1) }
    sources[0].go()
    sources[1].send(2)
    #expect(!two.hasEnded && !three.hasEnded)
    sources[1].go()
    #expect(two.hasEnded && !three.hasEnded)
    sources[2].send(3)
    sources[2].go()
    #expect(three.hasEnded && two.isProper && three.isProper)
    #expect(two.values == [[1, 1], [1, 2]])
    #expect(three.values == [[1, 1, 1], [1, 2, 1], [1, 2, 3]])
  }

  @Test(arguments: 0...2)
  func `R6 combineLatest ends when one publisher ends without a value`(gone: Int) {
    let sources = [Source(), Source(1), Source()]
    let others = [0, 2].filter { $0 != gone }
    let signals = sources.map(\.signal)
    let listener = Listener(combineLatest(signals[0], signals[1], signals[2]).map { [$0, $1, $2] })
    let pair = Listener(combineLatest(signals[0], signals[2]).map { [$0, $1] })
    sources[gone].go()
    // The second one has had a value, so it may go.
    #expect(listener.hasEnded == (gone != 1))
    #expect(pair.hasEnded == (gone != 1))
    for other in others { sources[other].send(2) }
    #expect(listener.values == (gone == 1 ? [[2, 1, 2]] : []))
    for other in others { sources[other].go() }
    #expect(listener.hasEnded && listener.isProper)
    #expect(pair.hasEnded && pair.isProper)
  }

  @Test func `R6 Publishers that have ended already are combined if all have values`() {
    let values = Listener(combineLatest(StateRelay(1), StateRelay(2)).map { [$0, $1] })
    #expect(values.values == [[1, 2]] && values.hasEnded && values.isProper)
    let relay = StateRelay(1)
    let empty = Listener(combineLatest(relay, Relay<Int>()).map { [$0, $1] })
    #expect(empty.values == [] && empty.hasEnded && empty.isProper)
    let first = Listener(combineLatest(Relay<Int>(), relay, relay).map { [$0, $1, $2] })
    #expect(first.values == [] && first.hasEnded && first.isProper)
  }

  @Test func `withLatest adds the other's latest value to each of its own`() {
    let (taps, text) = (Relay<Int>(), Relay<String>())
    let log = Log<String>()
    let token = taps.withLatest(from: text).subscribe { log.note("\($0)\($1)") }
    taps.send(1)
    text.send("a")
    taps.send(2)
    text.send("b")
    text.send("c")
    taps.send(3)
    taps.send(4)
    #expect(log.entries == ["2a", "3c", "4c"])
    token.cancel()
  }

  @Test func `R5 withLatest has the other's current value for the first of its own`() {
    let log = Log<[Int]>()
    let (left, right) = (StateRelay(1), StateRelay(2))
    let token = left.withLatest(from: right).subscribe { log.note([$0, $1]) }
    #expect(log.entries == [[1, 2]])
    let own = left.withLatest(from: left.map { -$0 }).subscribe { log.note([$0, $1]) }
    left.send(3)
    #expect(log.entries == [[1, 2], [1, -1], [3, 2], [3, -3]])
    withExtendedLifetime((token, own)) {}
  }

  @Test func `R6 The end of withLatest is that of its own publisher`() {
    let (taps, text) = (Source(), Source(1))
    let listener = Listener(taps.signal.withLatest(from: text.signal).map { [$0, $1] })
    text.go()
    #expect(!listener.hasEnded)
    taps.send(2)
    taps.go()
    #expect(listener.values == [[2, 1]] && listener.hasEnded && listener.isProper)
    let gone = Listener(StateRelay(1).withLatest(from: StateRelay(2)).map { [$0, $1] })
    #expect(gone.values == [[1, 2]] && gone.hasEnded && gone.isProper)
  }
}

import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `combineLatest and withLatest` {
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
    let one = combineLatest(left).subscribe { log.note([$0]) }
    let two = combineLatest(left, right).subscribe { log.note([$0, $1]) }
    let three = combineLatest(left, right, left).subscribe { log.note([$0, $1, $2]) }
    let with = left.withLatest(from: right).subscribe { log.note([$0, $1]) }
    #expect(log.entries == [[nil], [nil, nil], [nil, nil, nil], [nil, nil]])
    withExtendedLifetime((one, two, three, with)) {}
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

  @Test func `R6 Publishers that have ended already are combined if all have values`() {
    let values = Listener(combineLatest(StateRelay(1), StateRelay(2)).map { [$0, $1] })
    #expect(values.values == [[1, 2]] && values.hasEnded && values.isProper)
    let relay = StateRelay(1)
    let empty = Listener(combineLatest(relay, Relay<Int>()).map { [$0, $1] })
    #expect(empty.values == [] && empty.hasEnded && empty.isProper)
    let first = Listener(combineLatest(Relay<Int>(), relay, relay).map { [$0, $1, $2] })
    #expect(first.values == [] && first.hasEnded && first.isProper)
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

import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `scan and removeDuplicates` {
  @Test func `removeDuplicates takes nil for a value like others`() {
    let relay = Relay<Int?>()
    let log = Log<Int?>()
    let token = relay.removeDuplicates().subscribe { log.note($0) }
    for value in [nil, nil, 1, 1, nil] { relay.send(value) }
    #expect(log.entries == [nil, 1, nil])
    token.cancel()
  }

  @Test func `R1 The state is right though the values come from several threads`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = relay.scan(0) { $0 + $1 }.subscribe { log.note($0) }
    onThreads(4) { _ in
      for _ in 0..<2_000 { relay.send(1) }
    }
    #expect(log.entries == Array(1...8_000))
    token.cancel()
  }

  @Test func `R2 A closure may send to its own upstream, and sees the state in order`() {
    let relay = Relay<Int>()
    let log = Log<[Int]>()
    let token = relay.scan(0) { total, value in
      log.note([total, value])
      if value < 4 { relay.send(value + 1) }
      return total + value
    }
    .subscribe { _ in }
    relay.send(1)
    #expect(log.entries == [[0, 1], [1, 2], [3, 3], [6, 4]])
    token.cancel()
  }

  @Test func `R3 The deinit of a result that is replaced may send on the upstream`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let isDone = finishes {
      let token = relay.scan(AtEnd?.none) { _, value in
        log.note(value)
        return value < 3 ? AtEnd { relay.send(value + 1) } : nil
      }
      .subscribe { _ in }
      relay.send(1)
      relay.send(3)
      token.cancel()
    }
    #expect(isDone)
    // The result of 1 goes at the first 3 and sends 2; the next 2 has a result that goes later.
    #expect(log.entries == [1, 3, 2])
  }

  @Test func `R3 The deinit of a value that removeDuplicates forgets may use the upstream`() {
    let relay = Relay<AtEnd?>()
    let count = Counter()
    let isDone = finishes {
      let token = relay.removeDuplicates { $0 === $1 }.subscribe { _ in count.add() }
      relay.send(AtEnd { relay.send(AtEnd { relay.subscribe { _ in }.cancel() }) })
      relay.send(nil)
      relay.send(nil)
      token.cancel()
    }
    #expect(isDone)
    // The object, nil, the object that the first one sends at its end, and nil again.
    #expect(count.value == 4)
  }
}

import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `scan and removeDuplicates` {
  @Test func `scan passes on each result so far, but not the initial one`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = relay.scan(10) { $0 + $1 }.subscribe { log.note($0) }
    #expect(log.isEmpty)
    for value in 1...3 { relay.send(value) }
    #expect(log.entries == [11, 13, 16])
    token.cancel()
  }

  @Test func `scan may make results of another type`() {
    let relay = StateRelay(1)
    let log = Log<[Int]>()
    let token = relay.scan([]) { $0 + [$1] }.subscribe { log.note($0) }
    relay.send(2)
    #expect(log.entries == [[1], [1, 2]])
    token.cancel()
  }

  @Test func `Each subscription of a scan starts from the initial result`() {
    let relay = Relay<Int>()
    let totals = relay.scan(0) { $0 + $1 }
    let first = Listener(totals)
    relay.send(1)
    let second = Listener(totals)
    relay.send(2)
    first.cancel()
    let third = Listener(totals)
    relay.send(4)
    #expect(first.values == [1, 3])
    #expect(second.values == [2, 6])
    #expect(third.values == [4])
  }

  @Test func `removeDuplicates passes on the values that differ from the one before`() {
    let relay = StateRelay(0)
    let log = Log<Int>()
    let token = relay.removeDuplicates().subscribe { log.note($0) }
    for value in [0, 1, 1, 0, 0, 2, 2, 2] { relay.send(value) }
    #expect(log.entries == [0, 1, 0, 2])
    token.cancel()
  }

  @Test func `removeDuplicates takes nil for a value like others`() {
    let relay = Relay<Int?>()
    let log = Log<Int?>()
    let token = relay.removeDuplicates().subscribe { log.note($0) }
    for value in [nil, nil, 1, 1, nil] { relay.send(value) }
    #expect(log.entries == [nil, 1, nil])
    token.cancel()
  }

  @Test func `removeDuplicates compares with the last value that was passed on`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = relay.removeDuplicates { abs($0 - $1) <= 1 }.subscribe { log.note($0) }
    for value in [1, 2, 3, 4, 2, 9] { relay.send(value) }
    // 2 says no more than 1, and 3 is compared with 1.
    #expect(log.entries == [1, 3, 9])
    token.cancel()
  }

  @Test func `The closure of removeDuplicates is given the older value first`() {
    let relay = Relay<Int>()
    let pairs = Log<[Int]>()
    let token = relay.removeDuplicates {
      pairs.note([$0, $1])
      return $1 < $0
    }
    .subscribe { _ in }
    for value in [1, 2, 1, 3] { relay.send(value) }
    #expect(pairs.entries == [[1, 2], [2, 1], [2, 3]])
    token.cancel()
  }

  @Test func `Each subscription of removeDuplicates passes on its first value`() {
    let relay = Relay<Int>()
    let changes = relay.removeDuplicates()
    let first = Listener(changes)
    relay.send(1)
    let second = Listener(changes)
    relay.send(1)
    relay.send(1)
    #expect(first.values == [1])
    #expect(second.values == [1])
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

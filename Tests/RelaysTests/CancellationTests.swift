import Locking
import Relays
import TestSupport
import Testing

@Suite struct `R4: no callback begins after cancel has returned` {
  @Test func `R4 A subscriber may cancel itself and every other one`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let tokens = Box<[SubscriptionToken]>([])
    for index in 0..<10 {
      let token = relay.subscribe { _ in
        log.note(index)
        guard index == 3 else { return }
        for token in tokens.value { token.cancel() }
      }
      tokens.value += [token]
    }
    relay.send(1)
    relay.send(2)
    #expect(log.entries == [0, 1, 2, 3])
    #expect(!relay.hasSubscribers)
  }

  @Test func `R4 A cancel on another thread counts for the value being delivered`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let later = Box<SubscriptionToken?>(nil)
    let first = relay.subscribe { _ in
      #expect(finishes { later.value?.cancel() })
    }
    later.value = relay.subscribe { log.note($0) }
    relay.send(1)
    relay.send(2)
    #expect(log.isEmpty)
    first.cancel()
  }

  @Test func `R4 A subscriber cancelled before its turn to be added is never called`() {
    let relay = StateRelay(0)
    let log = Log<Int>()
    let first = relay.subscribe { value in
      guard value == 1 else { return }
      let late = relay.subscribe { log.note($0) }
      relay.send(2)
      late.cancel()
    }
    relay.send(1)
    #expect(log.isEmpty)
    first.cancel()
  }

  @Test func `R4 A subscriber cancelled in its first callback gets no other`() {
    let relay = StateRelay(0)
    let log = Log<Int>()
    let own = Box<SubscriptionToken?>(nil)
    let first = relay.subscribe { value in
      guard value == 1 else { return }
      own.value = relay.subscribe { value in
        log.note(value)
        own.value?.cancel()
      }
      relay.send(2)
    }
    relay.send(1)
    #expect(log.entries == [1])
    first.cancel()
  }

  @Test func `R4 A cancel doesn't wait for the subscriber's running callback`() {
    let relay = Relay<Int>()
    let own = Box<SubscriptionToken?>(nil)
    let calls = Counter()
    own.value = relay.subscribe { _ in
      calls.add()
      #expect(finishes { own.value?.cancel() })
    }
    relay.send(1)
    relay.send(2)
    #expect(calls.value == 1)
  }

  @Test func `R4 A stored token lives as long as its array`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    var tokens: [SubscriptionToken] = []
    relay.subscribe { log.note($0) }.store(in: &tokens)
    relay.subscribe { log.note(-$0) }.store(in: &tokens)
    relay.send(1)
    tokens = []
    relay.send(2)
    #expect(log.entries == [1, -1])
  }

  @Test func `R4 Cancelling again does nothing`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let first = relay.subscribe { log.note($0) }
    first.cancel()
    let second = relay.subscribe { log.note(-$0) }
    first.cancel()
    first.cancel()
    relay.send(1)
    #expect(log.entries == [-1])
    second.cancel()
  }

  @Test func `R4 Cancelling from several threads at once is fine`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    for _ in 0..<100 {
      let tokens = (0..<20).map { _ in relay.subscribe { log.note($0) } }
      onThreads(3) { index in
        if index == 0 { relay.subscribe { _ in }.cancel() }
        for token in tokens { token.cancel() }
      }
      relay.send(1)
    }
    #expect(log.isEmpty)
    #expect(!relay.hasSubscribers)
  }

  @Test func `R4 The second of two cancels returns no earlier than the check fails`() {
    let relay = Relay<Int>()
    let deadline = Deadline()
    let late = Counter()
    let victim = Box<SubscriptionToken?>(nil)
    let turn = Counter()
    let returned = Counter()
    // The first subscriber waits until one of the two cancels of this round has returned.
    let first = relay.subscribe { round in
      turn.set(round)
      while returned.value < round * 2 - 1 { CurrentThread.yield() }
    }
    onThreads(3) { index in
      if index == 0 {
        for round in 1...10_000 where !deadline.isOver {
          victim.value = relay.subscribe { _ in late.add() }
          relay.send(round)
          while returned.value < round * 2 { CurrentThread.yield() }
        }
        turn.set(-1)
        return
      }
      var round = 1
      while true {
        while turn.value >= 0 && turn.value < round { CurrentThread.yield() }
        guard turn.value >= 0 else { return }
        victim.value?.cancel()
        returned.add()
        round += 1
      }
    }
    print("R4: \(returned.value / 2) rounds of two cancels, \(late.value) late callbacks")
    #expect(late.value == 0)
    first.cancel()
  }

  @Test func `R4 At most the one callback that is past its check runs after a cancel elsewhere`() {
    let relay = Relay<Int>()
    let deadline = Deadline()
    let rounds = Counter()
    let isDone = Counter()
    let calls = Counter()
    let late = Counter()
    let overlapping = Counter()
    let worst = Counter()
    let delivered = Counter()
    let pace = relay.subscribe { _ in delivered.add() }
    onThreads(2) { index in
      if index != 0 {
        // Each value waits for the one before: a sender that outruns whoever delivers would keep
        // that thread, here the canceller, busy without end.
        var sent = 0
        while isDone.value == 0 {
          relay.send(index)
          sent += 1
          while delivered.value < sent { CurrentThread.yield() }
        }
        return
      }
      for round in 0..<20_000 where !deadline.isOver {
        rounds.add()
        let isCancelled = Counter()
        let callsHere = Counter()
        let lateHere = Counter()
        let token = relay.subscribe { _ in
          if isCancelled.value == 1 { lateHere.add() }
          callsHere.add()
          if isCancelled.value == 1 { overlapping.add() }
        }
        for _ in 0..<1_000 where callsHere.value == 0 { CurrentThread.yield() }
        for _ in 0..<round % 16 { _ = isDone.value }
        token.cancel()
        isCancelled.set(1)
        // One delivery more, so that what was on its way has been counted.
        let next = Counter()
        let guest = relay.subscribe { _ in next.set(1) }
        while next.value == 0 { CurrentThread.yield() }
        guest.cancel()
        calls.add(callsHere.value)
        late.add(lateHere.value)
        worst.set(max(worst.value, lateHere.value))
      }
      isDone.set(1)
    }
    pace.cancel()
    #expect(worst.value <= 1)
    print(
      "R4: \(rounds.value) rounds, \(calls.value) callbacks, \(late.value) begun after cancel returned,",
      "\(overlapping.value) ran beside it")
  }
}

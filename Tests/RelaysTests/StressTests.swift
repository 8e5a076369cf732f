import Locking
import Relays
import TestSupport
import Testing

/// A subscription that another callback cancels after some calls.
private final class Guest: Sendable {
  let patience: Int
  let token = Box<SubscriptionToken?>(nil)
  let calls = Counter()
  let isCancelled = Counter()

  init(patience: Int) { self.patience = patience }
}

/// Senders, subscribers and cancellers on several threads at once.
@Suite(.timeLimit(.minutes(20))) struct `Relays under stress` {
  @Test func `R1 Everyone sees one order, while others come and go`() {
    let relay = Relay<Int>()
    let logs = (0..<3).map { _ in Log<Int>() }
    let observers = logs.map { log in relay.subscribe { log.note($0) } }
    let runs = Box<[[Int]]>([])
    let deadline = Deadline()
    let isDone = Counter()
    let rounds = Counter()
    onThreads(4) { thread in
      if thread < 2 {
        // Two senders, whose values tell them apart and are counted up.
        var value = thread
        // Some thousand values, also if a thread begins late.
        while isDone.value == 0 || value < 2_000 {
          relay.send(value)
          value += 2
          if value > 40_000 { break }
        }
        isDone.add()
        return
      }
      // Two who subscribe for a while.
      var seen: [[Int]] = []
      while isDone.value < 2 && !deadline.isOver {
        let log = Log<Int>()
        let token = relay.subscribe { log.note($0) }
        for _ in 0..<rounds.add() % 8 { CurrentThread.yield() }
        token.cancel()
        seen.append(log.entries)
      }
      isDone.add(2)
      runs.value += seen
    }
    let order = logs[0].entries
    #expect(order.count > 1000)
    for log in logs { #expect(log.entries == order) }
    for sender in 0..<2 {
      let own = order.filter { $0 % 2 == sender }
      #expect(own == Array(stride(from: sender, through: own.last ?? sender, by: 2)))
    }
    // What a guest saw is a piece of the common order.
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    var torn = 0
    for run in runs.value where !run.isEmpty {
      guard let start = places[run[0]], start + run.count <= order.count,
        Array(order[start..<start + run.count]) == run
      else {
        torn += 1
        continue
      }
    }
    #expect(torn == 0)
    print(
      "R1: \(order.count) values, \(runs.value.count) guests, \(torn) with a gap or another order")
    withExtendedLifetime(observers) {}
  }

  @Test func `R4 On the thread that delivers no callback begins after cancel`() {
    let relay = Relay<Int>()
    let deadline = Deadline()
    let rounds = Counter()
    let late = Counter()
    let calls = Counter()
    // The first subscriber cancels the guest after it, in the callback of a value, wherever that is
    // delivered: at once, or when the guest has been called a few times.
    let guest = Box<Guest?>(nil)
    let canceller = relay.subscribe { _ in
      guard let guest = guest.value, guest.calls.value >= guest.patience else { return }
      guest.token.value?.cancel()
      guest.isCancelled.set(1)
    }
    let isDone = Counter()
    onThreads(3) { thread in
      if thread < 2 {
        while isDone.value == 0 {
          relay.send(thread)
          CurrentThread.yield()
        }
        return
      }
      for round in 0..<20_000 where !deadline.isOver {
        rounds.add()
        let new = Guest(patience: round % 4)
        new.token.value = relay.subscribe { _ in
          new.calls.add()
          late.add(new.isCancelled.value)
        }
        guest.value = new
        while new.isCancelled.value == 0 && !deadline.isOver { CurrentThread.yield() }
        guest.value = nil
        calls.add(new.calls.value)
        new.token.value = nil
      }
      isDone.set(1)
    }
    canceller.cancel()
    print(
      "R4: \(rounds.value) rounds, \(calls.value) callbacks, \(late.value) late where delivered")
    #expect(late.value == 0)
  }

  @Test func `R4 On the main actor no callback begins after cancel`() async {
    let relay = Relay<Int>()
    let isDone = Counter()
    let arrived = Counter()
    let pace = relay.subscribe(on: .mainActor) { _ in arrived.add() }
    let sender = TestThread {
      var sent = 0
      while isDone.value == 0 {
        relay.send(1)
        sent += 1
        // A few are always on their way, and never so many that the actor can't keep up.
        while arrived.value < sent - 4 && isDone.value == 0 { CurrentThread.yield() }
      }
    }
    let (rounds, calls, late) = await Task { @MainActor in
      // Longer, since other tests keep the main actor busy as well.
      let deadline = Deadline(after: .seconds(10))
      let calls = Counter()
      let late = Counter()
      var rounds = 0
      while rounds < 1000 && !deadline.isOver {
        rounds += 1
        let isCancelled = Counter()
        let token = relay.subscribe(on: .mainActor) { _ in
          calls.add()
          late.add(isCancelled.value)
        }
        for _ in 0..<rounds % 8 { await Task.yield() }
        token.cancel()
        isCancelled.set(1)
        await Task.yield()
      }
      return (rounds, calls.value, late.value)
    }.value
    isDone.set(1)
    sender.join()
    pace.cancel()
    print("R4: \(rounds) rounds, \(calls) callbacks, \(late) late on the main actor")
    #expect(late == 0)
  }

  @Test func `R5 A subscriber that comes at any moment ends with the value`() {
    let relay = StateRelay(0)
    let deadline = Deadline()
    let rounds = Counter()
    let wrong = Counter()
    let isDone = Counter()
    onThreads(3) { thread in
      if thread < 2 {
        while isDone.value == 0 {
          relay.modify { $0 += 1 }
          CurrentThread.yield()
        }
        return
      }
      for _ in 0..<20_000 where !deadline.isOver {
        rounds.add()
        let last = Counter(-1)
        let before = relay.value
        let token = relay.subscribe { value in
          // From the first value on each is one more than the last.
          if last.value >= 0 && value != last.value + 1 { wrong.add() }
          if value < before { wrong.add() }
          last.set(value)
        }
        for _ in 0..<rounds.value % 8 { CurrentThread.yield() }
        token.cancel()
      }
      isDone.set(1)
    }
    let last = Counter(-1)
    let token = relay.subscribe { last.set($0) }
    #expect(last.value == relay.value)
    print("R5: \(rounds.value) rounds, \(relay.value) values, \(wrong.value) mismatches")
    #expect(wrong.value == 0)
    withExtendedLifetime(token) {}
  }
}

import Locking
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `A delivery queue` {
  private actor Place {
    func assertHere() { assertIsolated() }
  }

  @Test func `It runs jobs one after another, in order`() {
    let queue = DeliveryQueue.immediate()
    let log = Log<Int>()
    for index in 0..<100 { queue.enqueue { log.note(index) } }
    #expect(log.isEmpty)
    queue.run()
    #expect(log.entries == Array(0..<100))
    queue.run()
    #expect(log.entries.count == 100)
  }

  @Test func `R2 run inside a job doesn't nest`() {
    let queue = DeliveryQueue.immediate()
    let log = Log<String>()
    queue.enqueue {
      log.note("begin")
      queue.enqueue { log.note("inner") }
      queue.run()
      log.note("end")
    }
    queue.enqueue { log.note("next") }
    queue.run()
    #expect(log.entries == ["begin", "end", "next", "inner"])
  }

  @Test(.oneThread) func `R2 A chain of 100,000 jobs works`() {
    let queue = DeliveryQueue.immediate()
    let count = Counter()
    @Sendable func add() {
      queue.enqueue { if count.add() < 100_000 { add() } }
      queue.run()
    }
    add()
    #expect(count.value == 100_000)
  }

  @Test func `Jobs of several threads run one at a time, each thread's in order`() {
    let queue = DeliveryQueue.immediate()
    let running = Counter()
    let log = Log<[Int]>()
    onThreads(4) { thread in
      for index in 0..<2_000 {
        queue.enqueue {
          #expect(running.add() == 1)
          log.note([thread, index])
          running.add(-1)
        }
        queue.run()
      }
    }
    let entries = log.entries
    #expect(entries.count == 8_000)
    for thread in 0..<4 {
      #expect(entries.filter { $0[0] == thread }.map { $0[1] } == Array(0..<2_000))
    }
  }

  @Test func `A thread that runs one job isn't kept for another that never stops adding`() {
    let queue = DeliveryQueue.immediate()
    let left = Counter()
    let done = Counter()
    let hasReturned = Counter()
    let deadline = Deadline(after: .seconds(120))
    let once = Counter()
    let isInside = Counter()
    @Sendable func add() {
      queue.enqueue {
        if CurrentThread.token == once.value {
          isInside.set(1)
          // There no job ends before more have been left, so something always waits.
          while left.value <= done.value && !deadline.isOver { CurrentThread.yield() }
        }
        done.add()
      }
      queue.run()
    }
    onThreads(2) { index in
      if index == 0 {
        once.set(CurrentThread.token)
        add()
        hasReturned.set(1)
        return
      }
      while isInside.value == 0 { CurrentThread.yield() }
      while hasReturned.value == 0 && !deadline.isOver {
        add()
        left.add()
      }
      #expect(!deadline.isOver)
    }
    #expect(done.value == left.value + 1)
  }

  @Test func `What is run on the main actor ends, though jobs are added without end`() async {
    // In a process of its own, since what other tests have on the main actor's queue would be run here as well.
    await #expect(processExitsWith: .success) {
      let isInTime = await MainActor.run { () -> Bool in
        let queue = DeliveryQueue.main
        let waiting = Counter()
        let isDone = Counter()
        let deadline = Deadline(after: .seconds(240))
        let thread = TestThread {
          while isDone.value == 0 && !deadline.isOver {
            guard waiting.value < 20 else {
              CurrentThread.yield()
              continue
            }
            waiting.add()
            queue.enqueue {
              waiting.add(-1)
              // What a foreign job leads to is no part of this run.
              queue.enqueue {}
              while waiting.value == 0 && isDone.value == 0 && !deadline.isOver {
                CurrentThread.yield()
              }
            }
          }
        }
        while waiting.value < 10 { CurrentThread.yield() }
        queue.enqueue {}
        queue.run()
        isDone.set(1)
        let isInTime = !deadline.isOver
        thread.join()
        queue.run()
        return isInTime
      }
      precondition(isInTime)
    }
  }

  @Test func `R3 A job is released before the next one runs, outside the lock`() {
    let queue = DeliveryQueue.immediate()
    let log = Log<String>()
    let isDone = finishes {
      for index in 0..<2 {
        let farewell = AtEnd {
          log.note("end \(index)")
          queue.enqueue { log.note("farewell \(index)") }
          queue.run()
        }
        queue.enqueue { [farewell] in
          log.note("job \(index)")
          _ = farewell
        }
      }
      queue.run()
    }
    #expect(isDone)
    #expect(
      log.entries == ["job 0", "end 0", "job 1", "end 1", "farewell 0", "farewell 1"])
  }

  @Test func `It knows whether it is the one that delivers here`() {
    let queue = DeliveryQueue.immediate()
    let other = DeliveryQueue.immediate()
    let log = Log<[Bool]>()
    queue.enqueue {
      log.note([queue.takesDirectly, other.takesDirectly, DeliveryQueue.isDelivering])
      other.enqueue {
        log.note([queue.takesDirectly, other.takesDirectly, DeliveryQueue.isDelivering])
      }
      other.run()
      log.note([queue.takesDirectly, other.takesDirectly, DeliveryQueue.isDelivering])
      onThreads(1) { _ in
        log.note([queue.takesDirectly, other.takesDirectly, DeliveryQueue.isDelivering])
      }
    }
    queue.run()
    log.note([queue.takesDirectly, other.takesDirectly, DeliveryQueue.isDelivering])
    let none = [false, false, false]
    #expect(
      log.entries == [[true, false, true], [false, true, true], [true, false, true], none, none])
  }

  @Test func `There is one queue per actor for as long as it is used`() {
    let place = Place()
    let queue = DeliveryQueue.queue(of: place)
    #expect(DeliveryQueue.queue(of: place) === queue)
    #expect(DeliveryQueue.queue(of: Place()) !== queue)
    #expect(DeliveryQueue.queue(of: MainActor.shared) === DeliveryQueue.main)
    let many = (0..<200).map { _ in Place() }
    let queues = many.map { DeliveryQueue.queue(of: $0) }
    #expect(Set(queues.map(ObjectIdentifier.init)).count == 200)
    for (place, queue) in zip(many, queues) {
      #expect(DeliveryQueue.queue(of: place) === queue)
    }
  }

  @Test func `Threads that ask for an actor's queue at once get the same`() {
    for _ in 0..<50 {
      let place = Place()
      let queues = Log<DeliveryQueue>()
      onThreads(3) { _ in queues.note(DeliveryQueue.queue(of: place)) }
      #expect(Set(queues.entries.map(ObjectIdentifier.init)).count == 1)
    }
  }

  @Test func `A new actor at an old address has a queue of its own`() {
    var stale: [DeliveryQueue] = []
    for _ in 0..<1_000 {
      let queue = DeliveryQueue.queue(of: Place())
      #expect(!stale.contains { $0 === queue })
      stale.append(queue)
    }
  }

  @Test func `Jobs run on their actor, in order`() async {
    let place = Place()
    let queue = DeliveryQueue.queue(of: place)
    let log = Log<Int>()
    let isDone = Latch()
    for index in 0..<100 {
      queue.enqueue {
        place.assertIsolated()
        log.note(index)
        if index == 99 { isDone.open() }
      }
      queue.run()
    }
    await isDone.wait()
    #expect(log.entries == Array(0..<100))
  }

  @Test func `R2 run inside an actor's job doesn't nest`() async {
    let place = Place()
    let queue = DeliveryQueue.queue(of: place)
    let log = Log<String>()
    let isDone = Latch()
    queue.enqueue {
      queue.enqueue {
        log.note("inner")
        isDone.open()
      }
      queue.run()
      log.note("outer")
    }
    queue.run()
    await isDone.wait()
    #expect(log.entries == ["outer", "inner"])
  }

  // Both in a process of their own, since another test's flush would look at these queues, too.

  @Test func `Jobs of a dead actor are dropped`() async {
    await #expect(processExitsWith: .success) {
      let tracker = LifetimeTracker()
      let log = Log<Int>()
      let queue = DeliveryQueue.queue(of: Place())
      for index in 0..<3 {
        queue.enqueue { [object = tracker.track()] in
          log.note(index)
          _ = object
        }
      }
      precondition(tracker.aliveCount == 3)
      queue.run()
      precondition(tracker.aliveCount == 0)
      precondition(log.isEmpty)
    }
  }

  @Test func `A waiting job doesn't keep its actor alive`() async {
    await #expect(processExitsWith: .success) {
      weak var gone: Place?
      let queue: DeliveryQueue
      do {
        let place = Place()
        gone = place
        queue = .queue(of: place)
        queue.enqueue {}
      }
      precondition(gone == nil)
      queue.run()
    }
  }

  @Test @MainActor func `The main actor's jobs run at once when it is here`() {
    let log = Log<String>()
    DeliveryQueue.main.enqueue { log.note("job") }
    DeliveryQueue.main.run()
    #expect(log.entries == ["job"])
    DeliveryQueue.main.enqueue {
      DeliveryQueue.main.enqueue { log.note("inner") }
      DeliveryQueue.main.run()
      log.note("outer")
    }
    DeliveryQueue.main.run()
    #expect(log.entries == ["job", "outer", "inner"])
  }

  @Test func `The main actor's jobs hop from elsewhere, in order`() async {
    let log = Log<Int>()
    let isDone = Latch()
    onThreads(1) { _ in
      #expect(!MainActor.isCurrent)
      for index in 0..<100 {
        DeliveryQueue.main.enqueue {
          MainActor.assertIsolated()
          #expect(MainActor.isCurrent)
          log.note(index)
          if index == 99 { isDone.open() }
        }
        DeliveryQueue.main.run()
      }
    }
    await isDone.wait()
    #expect(log.entries == Array(0..<100))
  }

  @Test @MainActor func `Inside other queues' jobs the main actor's jobs wait until they end`() {
    let queue = DeliveryQueue.immediate()
    let inner = DeliveryQueue.immediate()
    let log = Log<String>()
    queue.enqueue {
      inner.enqueue {
        DeliveryQueue.main.enqueue { log.note("main") }
        DeliveryQueue.main.run()
        log.note("inner")
      }
      inner.run()
      log.note("job")
    }
    queue.run()
    #expect(log.entries == ["inner", "job", "main"])
  }

  @Test func `Another queue's run on the main actor leaves what others have left there`() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        let log = Log<String>()
        onThreads(1) { _ in
          DeliveryQueue.main.enqueue { log.note("other") }
          DeliveryQueue.main.run()
        }
        let queue = DeliveryQueue.immediate()
        queue.enqueue { log.note("job") }
        queue.run()
        precondition(log.entries == ["job"])
        // With what its own job leaves, that comes first.
        queue.enqueue {
          DeliveryQueue.main.enqueue { log.note("own") }
          DeliveryQueue.main.run()
        }
        queue.run()
        precondition(log.entries == ["job", "other", "own"])
      }
    }
  }

  @Test func `F13 Each of many queues that a body leaves runs after it, in order`() {
    let queues = (0..<2_000).map { _ in DeliveryQueue.immediate() }
    let log = Log<Int>()
    DeferredDeliveries.begin()
    for _ in 0..<2 {
      for (index, queue) in queues.enumerated() {
        queue.enqueue { log.note(index) }
        queue.run()
      }
    }
    #expect(log.isEmpty)
    DeferredDeliveries.end()
    let inOrder = (0..<2_000).flatMap { [$0, $0] }
    #expect(log.entries == inOrder)
  }

  @Test func `A delivery names its place`() {
    let place = Place()
    #expect(Delivery.immediate.queue == nil)
    #expect(Delivery.mainActor.queue === DeliveryQueue.main)
    let delivery = Delivery.on(place)
    #expect(delivery.queue != nil)
    #expect(delivery.queue === DeliveryQueue.queue(of: place))
    #expect(Delivery.on(MainActor.shared).queue === DeliveryQueue.main)
  }
}

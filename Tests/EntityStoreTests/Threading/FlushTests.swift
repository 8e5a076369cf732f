import EntityStore
import Locking
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `S1: flush waits for the delivery of earlier commits` {
  private func makeStore() throws -> Store { try Store(.inMemory, entities: [Owner.self]) }

  /// A place, and what waits in it.
  private actor Place {
    private(set) var heard: [Int64] = []
    private var token: SubscriptionToken?

    func listen(to store: Store) {
      token = store.commits.subscribe(on: self) { me, commit in me.heard.append(commit.version) }
    }

    func commitAndFlush(_ store: Store, _ id: Int) async throws -> [Int64] {
      try store.commit { try $0.insert(Owner(id: id)) }
      await store.flush()
      return heard
    }
  }

  /// Starts a flush that can't end before `letGo`, calls that when it has begun, and waits for it.
  private func expectWaiting(_ store: Store, _ letGo: () -> Void) async {
    let isOver = Counter()
    let flush = Task {
      await store.flush()
      isOver.set(1)
    }
    #expect(await !becomesTrue(within: .milliseconds(20)) { isOver.value == 1 })
    letGo()
    await flush.value
  }

  @Test func `S1: in every place everything has been delivered after it`() async throws {
    let store = try makeStore()
    let actors = (0..<2).map { _ in Place() }
    let observers =
      [
        PlacedObserver(.immediate, in: store), PlacedObserver(.mainActor, in: store),
        PlacedObserver(.on(actors[0]), in: store),
      ]
    let observations = observers.map { $0.follow(store) }
    await actors[0].listen(to: store)
    await actors[1].listen(to: store)
    let onMain = Log<String>()
    let token = store.commits.subscribe(on: .mainActor) { onMain.note("\($0.version)") }
    let count = 200
    for round in 0..<3 {
      for id in 0..<count {
        try store.commit { try $0.insert(Owner(id: round * count + id)) }
      }
      await store.flush()
      let versions = (1...Int64((round + 1) * count)).map { $0 }
      for observer in observers { #expect(observer.told == versions.map { "tell \($0)" }) }
      for actor in actors { #expect(await actor.heard == versions) }
      #expect(onMain.entries == versions.map { "\($0)" })
    }
    token.cancel()
    withExtendedLifetime(observations) {}
  }

  @Test func `S1: it waits for a callback that another thread is in`() async throws {
    let store = try makeStore()
    let gate = Counter()
    let isInside = Counter()
    let log = Log<String>()
    let token = store.commits.subscribe { commit in
      if commit.version == 1 {
        isInside.set(1)
        _ = becomesTrueBlocking { gate.value == 1 }
      }
      log.note("\(commit.version)")
    }
    let thread = TestThread { _ = try? store.commit { try $0.insert(Owner(id: 1)) } }
    #expect(await becomesTrue { isInside.value == 1 })
    // These are left to the thread that delivers.
    for id in 2...5 { try store.commit { try $0.insert(Owner(id: id)) } }
    #expect(log.entries == [])
    await expectWaiting(store) { gate.set(1) }
    #expect(log.entries == ["1", "2", "3", "4", "5"])
    thread.join()
    token.cancel()
  }

  @Test func `S1: it waits for an actor that is busy`() async throws {
    let store = try makeStore()
    let place = HeldActor()
    let observer = PlacedObserver(.on(place), in: store)
    let observation = observer.follow(store)
    place.hold()
    defer { place.letGo() }
    for id in 1...3 { try store.commit { try $0.insert(Owner(id: id)) } }
    await expectWaiting(store) {
      #expect(observer.told == [])
      place.letGo()
    }
    #expect(observer.told == (1...3).map { "tell \($0)" })
    withExtendedLifetime(observation) {}
  }

  @Test func `S1: it doesn't wait for a deallocated actor`() async throws {
    let store = try makeStore()
    var place: Place? = Place()
    weak let gone = place
    let observer = try PlacedObserver(.on(#require(place)), in: store)
    let observation = observer.follow(store)
    try store.commit { try $0.insert(Owner(id: 1)) }
    await store.flush()
    place = nil
    #expect(await becomesTrue { gone == nil })
    for id in 2...5 { try store.commit { try $0.insert(Owner(id: id)) } }
    await store.flush()
    #expect(observer.told == ["tell 1"])
    withExtendedLifetime(observation) {}
  }

  @Test @MainActor func `S1: it may be called on the main actor, which is a place`() async throws {
    let store = try makeStore()
    let observer = PlacedObserver(.mainActor, in: store)
    let observation = observer.follow(store)
    onThreads(1) { _ in
      for id in 1...3 { _ = try? store.commit { try $0.insert(Owner(id: id)) } }
    }
    // The thread is done, and nothing has arrived while this one was busy.
    #expect(observer.told == [])
    await store.flush()
    #expect(observer.told == ["tell 1", "tell 2", "tell 3"])
    withExtendedLifetime(observation) {}
  }

  @Test func `S1: it may be called on an actor that is a place`() async throws {
    let store = try makeStore()
    let place = Place()
    await place.listen(to: store)
    for id in 1...5 {
      #expect(try await place.commitAndFlush(store, id) == (1...Int64(id)).map { $0 })
    }
  }

  @Test func `S1: it waits for a commit that can be read and has no turn yet`() async throws {
    let store = try makeStore()
    let log = Log<String>()
    let flush = Locked<Task<Void, Never>?>(nil)
    let observer = PlacedObserver(
      .immediate, in: store, log: log,
      onInstall: {
        let isInside = Counter()
        let task = Task {
          isInside.set(1)
          await store.flush()
          log.note("flushed")
        }
        flush.withLock { $0 = task }
        _ = becomesTrueBlocking { isInside.value == 1 }
        // Long enough for a flush that waits for nothing.
        _ = becomesTrueBlocking(within: .milliseconds(50)) { !log.entries.isEmpty }
      })
    let observation = observer.follow(store)
    let thread = TestThread { _ = try? store.commit { try $0.insert(Owner(id: 1)) } }
    #expect(await becomesTrue { flush.withLock { $0 } != nil })
    await flush.withLock { $0 }?.value
    thread.join()
    #expect(log.entries == ["show 1", "tell 1", "flushed"])
    withExtendedLifetime(observation) {}
  }

  @Test func `S1: many may wait at once`() async throws {
    let store = try makeStore()
    let places = (0..<3).map { _ in Place() }
    for place in places { await place.listen(to: store) }
    try await withThrowingTaskGroup { group in
      for index in 0..<40 {
        group.addTask {
          try await store.commitAsync { try $0.insert(Owner(id: index)) }
          let version = try store.version
          await store.flush()
          for place in places {
            let heard = await place.heard
            expectEqual(Array(heard.prefix(Int(version))), (1...version).map { $0 })
          }
        }
      }
      try await group.waitForAll()
    }
    for place in places { #expect(await place.heard == (1...40).map { $0 }) }
  }

  @Test func `S1: what is passed on from one place to another has arrived after it`() async throws {
    // Whichever of two places comes first, one of these goes the other way.
    for round in 0..<20 {
      let store = try makeStore()
      let (first, second) = (Place(), Place())
      let log = Log<String>()
      let relays = (0..<3).map { _ in Relay<Int64>() }
      let observers = [
        PlacedObserver(.on(first), in: store) { relays[0].send($0) },
        PlacedObserver(.on(second), in: store) { relays[1].send($0) },
        PlacedObserver(.mainActor, in: store) { relays[2].send($0) },
      ]
      let observations = observers.map { $0.follow(store) }
      let tokens = [
        relays[0].subscribe(on: second) { _, version in log.note("first to second \(version)") },
        relays[0].subscribe(on: .mainActor) { log.note("first to main \($0)") },
        relays[1].subscribe(on: first) { _, version in log.note("second to first \(version)") },
        relays[2].subscribe(on: first) { _, version in log.note("main to first \(version)") },
      ]
      try store.commit { try $0.insert(Owner(id: 1)) }
      await store.flush()
      let expected = ["first to main", "first to second", "main to first", "second to first"]
      expectEqual(log.entries.sorted(), expected.map { "\($0) 1" }, "in round \(round)")
      withExtendedLifetime((observations, tokens)) {}
    }
  }

  /// Gives an actor its turns until a flush is over, and says whether that came.
  ///
  /// It may take two: a flush that comes while the actor is told waits for its next turn.
  private static func isFlushed(_ store: Store, stepping place: SteppedActor) async -> Bool {
    let isOver = Counter()
    Task {
      await store.flush()
      isOver.set(1)
    }
    return await becomesTrue {
      place.step()
      return isOver.value == 1
    }
  }

  @Test func `S1: it doesn't wait for an actor to which nothing remains to be delivered`()
    async
  {
    // In a process of its own, since other tests' flushes would wait for these actors.
    await #expect(processExitsWith: .success) {
      let store = try Store(.inMemory, entities: [Owner.self])
      let (place, other) = (SteppedActor(), SteppedActor())
      let observer = PlacedObserver(.on(place), in: store)
      let observation = observer.follow(store)
      let delivery = Delivery.on(other)
      try store.commit { try $0.insert(Owner(id: 1)) }
      let isFirst = await Self.isFlushed(store, stepping: place)
      precondition(isFirst && observer.told == ["tell 1"])
      // From here on neither gets a turn.
      await store.flush()
      try store.commit { try $0.insert(Owner(id: 2)) }
      let isSecond = await Self.isFlushed(store, stepping: place)
      precondition(isSecond && observer.told == ["tell 1", "tell 2"])
      withExtendedLifetime((observation, delivery)) {}
    }
  }

  @Test func `S1: it doesn't wait for a main actor that is busy with other things`() async {
    // In a process of its own, since others here deliver on the main actor.
    await #expect(processExitsWith: .success) {
      let store = try Store(.inMemory, entities: [Owner.self])
      let log = Log<String>()
      let token = store.commits.subscribe { log.note("\($0.version)") }
      let isFlushed = Counter()
      let flush = Task { @concurrent in
        try store.commit { try $0.insert(Owner(id: 1)) }
        await store.flush()
        isFlushed.set(1)
      }
      let isDone = await MainActor.run {
        becomesTrueBlocking { isFlushed.value == 1 }
      }
      precondition(isDone && log.entries == ["1"])
      try await flush.value
      token.cancel()
    }
  }
}

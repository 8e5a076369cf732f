import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

private func car(_ id: Int) -> Car { Car(id: id, model: "\(id)", year: 2000 + id, owner: nil) }

@Suite struct DeliveryTests {
  @Test func `S1: with one thread, immediate events are delivered when commit returns`() throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let events = Recorder(model.didChange)
    for id in 0..<20 {
      try store.commit { try $0.insert(car(id)) }
      #expect(events.values.count == id + 1)
    }
  }

  @Test func `S3: a commit in a callback is delivered after the current one, to everybody`() throws
  {
    let store = try TestStorage.memory.makeGarage()
    let first = try FetchedObjectsModel(Query<Car>(), in: store)
    let second = try FetchedObjectsModel(Query<Car>(), in: store)
    let log = Log<String>()
    let tokens = [
      first.didChange.subscribe { event in
        log.note("first \(event.after.count)")
        if event.after.count < 3 {
          try? store.commit { try $0.insert(car(event.after.count)) }
        }
      },
      second.didChange.subscribe { log.note("second \($0.after.count)") },
    ]
    try store.commit { try $0.insert(car(0)) }
    #expect(
      log.entries == ["first 1", "second 1", "first 2", "second 2", "first 3", "second 3"])
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor
  func `F13: a hop to the main actor comes when the models there have reached the commit`() throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    let other = try FetchedObjectsModel(Query<Car>(), in: store)
    var seen: [Int] = []
    let tokens = [
      store.commits.subscribe(on: .mainActor) { _ in seen.append(model.snapshot.count) },
      store.changes(of: Car.self).subscribe(on: .mainActor) { _ in
        seen.append(model.snapshot.count)
      },
      other.didChange.subscribe(on: .mainActor) { _ in seen.append(model.snapshot.count) },
    ]
    for count in 1...2 {
      seen = []
      try store.commit { try $0.insert(car(count)) }
      #expect(seen == [count, count, count])
    }
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor
  func `F12: a hop of a commit made in a callback is delivered in the same run`() throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    var counts: [Int] = []
    let tokens = [
      model.didChange.subscribe(on: .mainActor) { event in
        if event.after.count == 1 { try? store.commit { try $0.insert(car(2)) } }
      },
      store.commits.subscribe(on: .mainActor) { _ in counts.append(model.snapshot.count) },
    ]
    try store.commit { try $0.insert(car(1)) }
    #expect(counts == [1, 2])
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor
  func `F13: a hop of the next commit waits for all callbacks of the one before`() throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    let log = Log<String>()
    let tokens = [
      model.didChange.subscribe { _ in
        log.note("first")
        try? store.commit { try $0.insert(Person(id: 1, name: "a")) }
      },
      model.didChange.subscribe { _ in log.note("second") },
      store.changes(of: Person.self).subscribe(on: .mainActor) { _ in log.note("person") },
    ]
    try store.commit { try $0.insert(car(1)) }
    #expect(log.entries == ["first", "second", "person"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `F13: all models reach a commit before any callback, in order of creation`() throws {
    let store = try TestStorage.memory.makeGarage()
    let models = try (0..<5).map { _ in try FetchedObjectsModel(Query<Car>(), in: store) }
    try store.commit { try $0.insert(car(0)) }
    let observed = try ObservedEntity<Car>(0, in: store)
    let log = Log<String>()
    var tokens = models.enumerated().map { index, model in
      model.didChange.subscribe { _ in
        log.note("\(index): \(models.map(\.snapshot.count)) \(observed.year)")
      }
    }
    tokens.append(observed.didChange.subscribe { _ in log.note("observed") })
    try store.commit { draft in
      try draft.update(Car.self, 0) { $0.year = 7 }
      try draft.insert(car(1))
    }
    #expect(log.entries == (0..<5).map { "\($0): [2, 2, 2, 2, 2] 7" } + ["observed"])
  }

  @Test @MainActor
  func `F13: on the main actor, too, all models reach a commit before any callback`() throws {
    let store = try TestStorage.memory.makeGarage()
    let models = try (0..<3).map { _ in
      try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    }
    let log = Log<String>()
    let tokens = models.enumerated().map { index, model in
      model.didChange.subscribe { _ in log.note("\(index): \(models.map(\.snapshot.count))") }
    }
    try store.commit { try $0.insert(car(0)) }
    #expect(log.entries == (0..<3).map { "\($0): [1, 1, 1]" })
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor
  func `F12: a commit on the main actor is delivered there before it returns`() throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    var counts: [Int] = []
    let token = model.didChange.subscribe(on: .mainActor) { event in
      counts.append(event.after.count)
      #expect(model.snapshot.count == event.after.count)
    }
    for id in 0..<3 { try store.commit { try $0.insert(car(id)) } }
    #expect(counts == [1, 2, 3])
    withExtendedLifetime(token) {}
  }

  @Test @MainActor
  func `F12: a model on the main actor shows nothing new while the main actor is busy`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    var counts: [[Int]] = []
    let token = model.didChange.subscribe(on: .mainActor) {
      counts.append([$0.before.count, $0.after.count, $0.changes.inserts.count])
    }
    let thread = TestThread {
      for id in 0..<4 { try? store.commit { try $0.insert(car(id)) } }
    }
    // The main actor waits here without suspending, so nothing can be delivered on it.
    thread.join()
    #expect(model.snapshot.isEmpty)
    #expect(try store.count(Query<Car>()) == 4)
    #expect(await becomesTrue { !counts.isEmpty })
    #expect(counts == [[0, 4, 4]])
    withExtendedLifetime(token) {}
  }

  @Test @MainActor
  func `F13: models that want the latest reach it together`() async throws {
    let store = try TestStorage.memory.makeGarage()
    let all = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    let young = try FetchedObjectsModel(
      Query<Car>().filter { $0.year > 2004 }, in: store, delivery: .mainActor)
    let log = Log<String>()
    let tokens = [
      all.didChange.subscribe { _ in log.note("all \(all.snapshot.count) \(young.snapshot.count)")
      },
      young.didChange.subscribe { _ in
        log.note("young \(all.snapshot.count) \(young.snapshot.count)")
      },
    ]
    TestThread {
      for id in [1, 5, 2, 6] { try? store.commit { try $0.insert(car(id)) } }
    }.join()
    #expect(all.snapshot.isEmpty && young.snapshot.isEmpty)
    await store.flush()
    #expect(log.entries == ["all 4 2", "young 4 2"])
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor
  func `F13: a merging model stops at each commit that another model is notified of alone`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    let latest = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    let each = try FetchedObjectsModel(
      Query<Car>().filter { $0.year > 2004 }, in: store, delivery: .mainActor, policy: .every)
    let log = Log<String>()
    let tokens = [
      latest.didChange.subscribe { log.note("latest \($0.before.count) to \($0.after.count)") },
      each.didChange.subscribe { log.note("each \($0.after.count) \(latest.snapshot.count)") },
    ]
    TestThread {
      for id in [1, 2, 5, 6, 3, 4] { try? store.commit { try $0.insert(car(id)) } }
    }.join()
    await store.flush()
    #expect(
      log.entries == [
        "latest 0 to 3", "each 1 3", "latest 3 to 4", "each 2 4", "latest 4 to 6",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor
  func `F13: a resumed model and another query take their turn after what waits`() async throws {
    let store = try TestStorage.memory.makeGarage()
    let paused = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    let moved = try FetchedObjectsModel(
      Query<Car>().filter { $0.year > 2004 }, in: store, delivery: .mainActor)
    let all = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor, policy: .every)
    let log = Log<String>()
    func state() -> String { "\(paused.snapshot.count) \(moved.snapshot.count)" }
    let tokens = [
      paused.didChange.subscribe { _ in log.note("paused \(all.snapshot.count)") },
      moved.didChange.subscribe { _ in log.note("moved \(all.snapshot.count)") },
      all.didChange.subscribe { event in log.note("all \(event.after.count)") },
    ]
    paused.pause()
    TestThread {
      for id in 1...3 { try? store.commit { try $0.insert(car(id)) } }
      paused.resume()
      try? moved.setQuery(Query<Car>())
      try? store.commit { try $0.insert(car(4)) }
    }.join()
    #expect(state() == "0 0")
    await store.flush()
    #expect(
      log.entries == ["all 1", "all 2", "all 3", "paused 4", "moved 4", "all 4"])
    #expect(state() == "4 4")
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor
  func `F6: merged commits that lead back to the same result make no event`() async throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    let other = try FetchedObjectsModel(Query<Car>(), in: store)
    let merged = Recorder(model.didChange)
    let single = Recorder(other.didChange)
    TestThread {
      try? store.commit { try $0.insert(car(1)) }
      try? store.commit { try $0.delete(Car.self, 1) }
    }.join()
    await store.flush()
    #expect(single.values.count == 2)
    #expect(merged.values.isEmpty)
    #expect(model.snapshot.isEmpty)
  }

  @Test @MainActor
  func `F12: at the limit, events that wait for a busy place are merged, also under each`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(
      Query<Car>(), in: store, delivery: .mainActor, policy: .every)
    let events = Recorder(model.didChange)
    TestThread {
      for id in 0..<10_100 { try? store.commit { try $0.insert(car(id)) } }
    }.join()
    await store.flush()
    let versions = events.values.map(\.versions)
    #expect(versions.count == 10_001)
    #expect(versions.dropLast() == (1...10_000).map { $0...$0 })
    #expect(versions.last == 10_001...10_100)
    #expect(events.values.last?.changes.inserts.count == 100)
    try store.commit { try $0.insert(car(10_100)) }
    #expect(events.values.count == 10_002)
    #expect(model.snapshot.count == 10_101)
  }

  actor Board {
    var counts: [Int] = []
    var token: SubscriptionToken?

    func follow(_ model: FetchedObjectsModel<Car>) {
      token = model.didChange.subscribe(on: self) { board, event in
        board.counts.append(event.after.count)
      }
    }
  }

  @Test func `F12: a model on an actor changes and calls on that actor, in order`() async throws {
    let store = try TestStorage.memory.makeGarage()
    let board = Board()
    let model = try FetchedObjectsModel(
      Query<Car>(), in: store, delivery: .on(board), policy: .every)
    await board.follow(model)
    for id in 0..<50 { try store.commit { try $0.insert(car(id)) } }
    await store.flush()
    #expect(await board.counts == Array(1...50))
    #expect(model.snapshot.count == 50)
  }

  @Test func `S1: several threads commit, and every observer sees one order`() throws {
    let store = try TestStorage.memory.makeGarage()
    let models = try (0..<3).map { _ in try FetchedObjectsModel(Query<Car>(), in: store) }
    let recorders = models.map { Recorder($0.didChange) }
    let commits = Recorder(store.commits)
    let threads = (0..<4).map { thread in
      TestThread {
        for index in 0..<50 {
          try? store.commit { try $0.insert(car(thread * 50 + index)) }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(commits.values.map(\.version) == Array(1...200))
    for recorder in recorders {
      #expect(recorder.values.map(\.after.count) == Array(1...200))
      #expect(recorder.values.map(\.versions.lowerBound) == Array(1...200))
    }
  }
}

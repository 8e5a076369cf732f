import EntityStore
import FetchedObjects
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

/// Sends lines from several places into one order.
private final class Log: Sendable {
  private let state = Locked<[String]>([])
  func add(_ line: String) { state.withLock { $0.append(line) } }
  var lines: [String] { state.withLock { $0 } }
}

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
    let log = Log()
    let tokens = [
      first.didChange.subscribe { event in
        log.add("first \(event.after.count)")
        if event.after.count < 3 {
          try? store.commit { try $0.insert(car(event.after.count)) }
        }
      },
      second.didChange.subscribe { log.add("second \($0.after.count)") },
    ]
    try store.commit { try $0.insert(car(0)) }
    #expect(
      log.lines == ["first 1", "second 1", "first 2", "second 2", "first 3", "second 3"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `F13: all models reach a commit before any callback, in order of creation`() throws {
    let store = try TestStorage.memory.makeGarage()
    let models = try (0..<5).map { _ in try FetchedObjectsModel(Query<Car>(), in: store) }
    try store.commit { try $0.insert(car(0)) }
    let observed = try ObservedEntity<Car>(0, in: store)
    let log = Log()
    var tokens = models.enumerated().map { index, model in
      model.didChange.subscribe { _ in
        log.add("\(index): \(models.map(\.snapshot.count)) \(observed.year)")
      }
    }
    tokens.append(observed.didChange.subscribe { _ in log.add("observed") })
    try store.commit { draft in
      try draft.update(Car.self, 0) { $0.year = 7 }
      try draft.insert(car(1))
    }
    #expect(log.lines == (0..<5).map { "\($0): [2, 2, 2, 2, 2] 7" } + ["observed"])
  }

  @Test @MainActor
  func `F13: on the main actor, too, all models reach a commit before any callback`() throws {
    let store = try TestStorage.memory.makeGarage()
    let models = try (0..<3).map { _ in
      try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    }
    let log = Log()
    let tokens = models.enumerated().map { index, model in
      model.didChange.subscribe { _ in log.add("\(index): \(models.map(\.snapshot.count))") }
    }
    try store.commit { try $0.insert(car(0)) }
    #expect(log.lines == (0..<3).map { "\($0): [1, 1, 1]" })
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
    let each = try FetchedObjectsModel(
      Query<Car>(), in: store, delivery: .mainActor, policy: .each)
    let latest = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    var eachCounts: [[Int]] = []
    var latestCounts: [[Int]] = []
    let tokens = [
      each.didChange.subscribe(on: .mainActor) {
        eachCounts.append([$0.before.count, $0.after.count, each.snapshot.count])
      },
      latest.didChange.subscribe(on: .mainActor) {
        latestCounts.append([$0.before.count, $0.after.count, $0.changes.inserts.count])
      },
    ]
    let thread = TestThread {
      for id in 0..<4 { try? store.commit { try $0.insert(car(id)) } }
    }
    // The main actor waits here without suspending, so nothing can be delivered on it.
    thread.join()
    #expect(each.snapshot.isEmpty && latest.snapshot.isEmpty)
    #expect(try store.count(Query<Car>()) == 4)
    while latestCounts.isEmpty || eachCounts.count < 4 { await Task.yield() }
    #expect(eachCounts == [[0, 1, 1], [1, 2, 2], [2, 3, 3], [3, 4, 4]])
    #expect(latestCounts == [[0, 4, 4]])
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor
  func `F6: merged commits that lead back to the same result make no event`() async throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    let other = try FetchedObjectsModel(
      Query<Car>(), in: store, delivery: .mainActor, policy: .each)
    let merged = Recorder(model.didChange)
    let single = Recorder(other.didChange)
    TestThread {
      try? store.commit { try $0.insert(car(1)) }
      try? store.commit { try $0.delete(Car.self, 1) }
    }.join()
    while single.values.count < 2 { await Task.yield() }
    #expect(merged.values.isEmpty)
    #expect(model.snapshot.isEmpty)
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
      Query<Car>(), in: store, delivery: .on(board), policy: .each)
    await board.follow(model)
    for id in 0..<50 { try store.commit { try $0.insert(car(id)) } }
    while await board.counts.count < 50 { await Task.yield() }
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

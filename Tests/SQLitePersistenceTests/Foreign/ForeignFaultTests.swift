import EntityStore
import FetchedObjects
import Foundation
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `F11: a store reports why it can't read external commits` {
  /// What somebody was told.
  private final class Told: Sendable {
    private let faults = Locked<[String: [StorageFault]]>([:])

    func note(_ error: any Error, to name: String) {
      guard case .some(.storage(let fault)) = error as? StoreError else { return }
      faults.withLock { $0[name, default: []].append(fault) }
    }

    func faults(_ name: String) -> [StorageFault] { faults.withLock { $0[name] ?? [] } }
  }

  /// A store that looks often, and what its observers are told of errors.
  private final class Watched: Sendable {
    let path = temporaryPath()
    let store: Store
    let model: FetchedObjectsModel<Car>
    let observed: ObservedEntity<Car>
    private let told = Told()
    private let tokens: [SubscriptionToken]

    init() throws {
      store = try openGarage(path, watching: .every(.milliseconds(1)))
      try store.commit { try $0.insert(Car(id: 1, model: "a")) }
      model = try FetchedObjectsModel(Query<Car>(), in: store)
      observed = try ObservedEntity<Car>(1, in: store)
      let told = told
      func subscribe(_ name: String, _ errors: Signal<any Error>) -> SubscriptionToken {
        errors.subscribe { told.note($0, to: name) }
      }
      tokens = [
        subscribe("store", store.errors), subscribe("model", model.errors),
        subscribe("object", observed.errors),
      ]
    }

    func faults(_ name: String) -> [StorageFault] { told.faults(name) }

    /// Waits until everybody has been told so often.
    func isTold(_ count: Int) async -> Bool {
      await becomesTrue {
        ["store", "model", "object"].allSatisfy { faults($0).count >= count }
      }
    }

    /// Waits until a car is shown that others have inserted.
    func shows(_ id: Int) async -> Bool {
      await becomesTrue { model.fetchedObjects.contains { $0.id == id } }
    }

    func expectCounts(_ count: Int) {
      for name in ["store", "model", "object"] { #expect(faults(name).count == count) }
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func
    `A file that is taken away is noticed by watching, reported once, and read when it is back`()
    async throws
  {
    let watched = try Watched()
    let path = watched.path
    let raw = try RawDatabase(path)
    // It opens the log by its name with the first read.
    try raw.rows("SELECT COUNT(*) FROM Car")
    for round in 1...2 {
      #expect(rename(path, path + "-away") == 0)
      try #require(await watched.isTold(round))
      watched.expectCounts(round)
      let fault = watched.faults("model")[round - 1]
      #expect(fault.kind == .replaced)
      #expect(fault.path == path)
      #expect(fault.operation == "looking for commits of others")
      #expect(fault.message.contains("open it again"))
      // Nothing would say that it is over.
      #expect(watched.model.error == nil && watched.observed.error == nil)
      // The last result stays.
      #expect(watched.model.fetchedObjects.count == round)
      try raw.rows("INSERT INTO Car (id, model) VALUES (\(round + 1), 'b\(round)')")
      #expect(rename(path + "-away", path) == 0)
      #expect(await watched.shows(round + 1))
      watched.expectCounts(round)
    }
    try watched.store.commit { try $0.insert(Car(id: 10, model: "c")) }
    watched.expectCounts(2)
  }

  @Test(.timeLimit(.minutes(20)))
  func `A file that is moved away while it is read is reported as moved, and as nothing else`()
    async throws
  {
    for round in 0..<rounds(200) {
      let path = temporaryPath()
      // The first look, which opens the file, begins with the store.
      let store = try openGarage(path, watching: .every(.milliseconds(1)))
      let told = Told()
      let token = store.errors.subscribe { told.note($0, to: "store") }
      for _ in 0..<round * 50 { _ = ContinuousClock.now }
      #expect(rename(path, path + "-away") == 0)
      #expect(await becomesTrue { !told.faults("store").isEmpty })
      #expect(told.faults("store").first?.kind == .replaced)
      withExtendedLifetime(token) {}
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func `A file that can't be followed is reported once, and followed when it can be`() async throws
  {
    let watched = try Watched()
    let raw = try RawDatabase(watched.path)
    // As an older copy that somebody has put back.
    try raw.rows("DELETE FROM signalbox_log")
    try #require(await watched.isTold(1))
    let fault = watched.faults("store")[0]
    #expect(fault.kind == .replaced && fault.message.contains("version 0"), "\(fault)")
    try raw.rows("INSERT INTO signalbox_log (version) VALUES (1)")
    try raw.rows("INSERT INTO Car (id, model) VALUES (2, 'b')")
    #expect(await watched.shows(2))
    watched.expectCounts(1)
  }

  @Test func `The same fault is reported once until it is over, another one at once`() {
    var trouble = PollBackoff()
    let start = ContinuousClock.now
    let full = StoreError.storage(StorageFault(.full, "a: full", path: "a", code: 13))
    let gone = StoreError.storage(StorageFault(.replaced, "a: gone", path: "a"))
    #expect(trouble.fail(full, at: start) != nil)
    #expect(trouble.fail(full, at: start) == nil)
    #expect(trouble.fail(gone, at: start) != nil)
    #expect(trouble.fail(full, at: start) == nil)
    #expect(trouble.fail(CancellationError(), at: start) == nil)
    trouble.succeed()
    guard
      case .some(.storage(let fault)) = trouble.fail(full, at: start) as? StoreError
    else {
      Issue.record("Nothing is told")
      return
    }
    #expect(fault.kind == .full && fault.path == "a" && fault.code == 13)
    #expect(fault.message == "What others commit can't be read: a: full")
  }

  @Test func `A fault that names another number at each look is reported once`() {
    var trouble = PollBackoff()
    let start = ContinuousClock.now
    func look(_ kind: StorageFault.Kind, _ message: String, code: Int? = nil) -> Bool {
      let fault = StorageFault(kind, message, path: "a", code: code)
      return trouble.fail(StoreError.storage(fault), at: start) != nil
    }
    #expect(look(.replaced, "The storage is at version 101, and was at 500"))
    for version in 102..<500 {
      #expect(!look(.replaced, "The storage is at version \(version), and was at 500"))
    }
    // Its code, its kind or other words make it another one.
    #expect(look(.replaced, "The storage is at version 101, and was at 500", code: 1))
    #expect(look(.replaced, "The storage is at version 101, and was at 500", code: 2))
    #expect(look(.corrupt, "The storage is at version 101, and was at 500"))
    #expect(look(.replaced, "The file was moved"))
    let names = (0..<100).map { String(repeating: "a", count: $0) }
    #expect(names.filter { look(.other, $0) }.count == 11)
    trouble.succeed()
    #expect(look(.replaced, "The storage is at version 101, and was at 500"))
  }

  @Test func `A busy file is reported after five seconds`() {
    var trouble = PollBackoff()
    let start = ContinuousClock.now
    let busy = StoreError.storage(StorageFault(.busy, "a: busy"))
    #expect(trouble.fail(busy, at: start) == nil)
    #expect(trouble.fail(busy, at: start + .milliseconds(4999)) == nil)
    #expect(trouble.fail(busy, at: start + .seconds(5)) != nil)
    #expect(trouble.fail(busy, at: start + .seconds(6)) == nil)
    trouble.succeed()
    #expect(trouble.fail(busy, at: start + .seconds(7)) == nil)
  }

  @Test func `What goes wrong is tried again less and less often, up to a second`() {
    var trouble = PollBackoff()
    let busy = StoreError.storage(StorageFault(.busy, "a: busy"))
    #expect(trouble.interval(.milliseconds(2)) == .milliseconds(2))
    var intervals: [Duration] = []
    for _ in 1...9 {
      _ = trouble.fail(busy, at: .now)
      intervals.append(trouble.interval(.milliseconds(2)))
    }
    let expected = [10, 20, 40, 80, 160, 320, 640, 1000, 1000].map { Duration.milliseconds($0) }
    #expect(intervals == expected)
    #expect(trouble.interval(.seconds(60)) == .seconds(60))
    trouble.succeed()
    #expect(trouble.interval(.milliseconds(2)) == .milliseconds(2))
  }
}

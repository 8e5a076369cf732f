@_spi(Storage) @testable import EntityStore
import Fixtures
import Locking
import TestSupport
import Testing

@Suite struct `A commit finds the observers that it concerns` {
  private let owners = Owner.schema.entity
  private let pets = Pet.schema.entity

  private func observe(_ store: Store, _ observer: CountingObserver) -> ObserverRegistration {
    store.observe(observer) { $0 }
  }

  @Test func `F12: observers of an entity are asked about its commits, in order of creation`()
    throws
  {
    let store = try TestStorage.memory.makeHousehold()
    let (first, second) = (CountingObserver(in: store), CountingObserver(in: store))
    let (a, b) = (observe(store, first), observe(store, second))
    b.follow([owners, pets])
    a.follow([owners])
    try store.commit { try $0.insert(Owner(id: 1)) }
    try store.commit { try $0.insert(Pet(id: 1)) }
    #expect(first.calls == ["prepare 1", "install 1", "show 1", "tell 1"])
    #expect(second.calls.filter { $0.hasPrefix("prepare") } == ["prepare 1", "prepare 2"])
    a.follow([pets])
    b.follow(Set<EntityDescription>())
    try store.commit { try $0.insert(Owner(id: 2)) }
    try store.commit { try $0.insert(Pet(id: 2)) }
    #expect(first.calls.filter { $0.hasPrefix("prepare") } == ["prepare 1", "prepare 4"])
    #expect(second.calls.count == 8)
    withExtendedLifetime((a, b)) {}
  }

  @Test func `F8: observers of an object are asked about its commits only`() throws {
    let store = try TestStorage.memory.makeHousehold()
    let observer = CountingObserver()
    let registration = observe(store, observer)
    registration.follow([(owners, .integer(1)), (pets, .integer(7))])
    for id in 1...3 { try store.commit { try $0.insert(Owner(id: id)) } }
    #expect(observer.calls.filter { $0.hasPrefix("prepare") } == ["prepare 1"])
    try store.commit { try $0.insert(Pet(id: 7, owner: Ref(1))) }
    // The reference is cleared in the same commit, which concerns both and is told once.
    try store.commit { try $0.delete(Owner.self, 1) }
    #expect(
      observer.calls.filter { $0.hasPrefix("prepare") }.suffix(2) == ["prepare 4", "prepare 5"])
    registration.follow([(owners, .integer(2))])
    try store.commit { try $0.delete(Pet.self, 7) }
    try store.commit { try $0.delete(Owner.self, 2) }
    #expect(observer.calls.filter { $0.hasPrefix("prepare") }.last == "prepare 7")
  }

  @Test func `A deallocated observer is asked nothing, and its registration isn't kept`() throws {
    let store = try TestStorage.memory.makeHousehold()
    LifetimeTracker.check { tracker in
      final class Holder: Sendable {
        let tracked: LifetimeTracker.Tracked
        let observer = CountingObserver()
        init(_ tracked: LifetimeTracker.Tracked) { self.tracked = tracked }
      }
      let holder = Holder(tracker.track())
      let registration = observe(store, holder.observer)
      registration.follow([owners])
      registration.follow([(owners, .integer(1))])
    }
    let isEmpty = store.registry.withLock { $0.isEmpty }
    #expect(isEmpty)
    try store.commit { try $0.insert(Owner(id: 1)) }
    var registry = ObserverRegistry()
    var observer: CountingObserver? = CountingObserver()
    let entry = try registry.makeEntry(#require(observer))
    registry.follow([owners], with: entry)
    var changes = NetChanges()
    changes.tables.append(TableChanges(owners))
    #expect(registry.observers(of: changes).count == 1)
    observer = nil
    #expect(registry.observers(of: changes).isEmpty)
  }

  @Test func `Nothing is kept of an observer of an id that is NaN`() {
    var registry = ObserverRegistry()
    let entry = registry.makeEntry(CountingObserver())
    for id in [StoredValue.real(.nan), .list([.integer(1), .real(.nan)])] {
      registry.follow(owners, id: id, with: entry)
      registry.unfollow(owners, id: id, with: entry)
    }
    #expect(registry.isEmpty)
  }

  @Test func `R3: an observer released during a commit is deallocated under no lock`() throws {
    /// Gives itself up when a commit asks it, and commits when it goes.
    final class Leaving: CommitObserver {
      let store: Store
      let holder: Locked<Leaving?>
      let log: Log

      init(_ store: Store, _ log: Log) {
        self.store = store
        self.log = log
        holder = Locked(nil)
        holder.withLock { $0 = self }
      }

      func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
        let held = holder.withLock { held in
          defer { held = nil }
          return held
        }
        withExtendedLifetime(held) {}
        return nil
      }

      deinit {
        let isHeld = store.writer.isHeldHere
        log.isHeld.withLock { $0.append(isHeld) }
        if !isHeld { _ = try? store.commit { try $0.insert(Owner(id: 2)) } }
      }
    }
    final class Log: Sendable {
      let isHeld = Locked<[Bool]>([])
    }
    let store = try TestStorage.memory.makeHousehold()
    let log = Log()
    let registration = store.observe(Leaving(store, log)) { registration in
      registration.follow([owners])
      return registration
    }
    try store.commit { try $0.insert(Owner(id: 1)) }
    let isHeld = log.isHeld.withLock { $0 }
    #expect(isHeld == [false])
    #expect(try store.all(Owner.self).map(\.id) == [1, 2])
    withExtendedLifetime(registration) {}
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: a change concerns at least the objects for which a query's value may differ`(
    _ storage: TestStorage
  ) throws {
    let entities = [Citizen.schema.entity, Maker.schema.entity, Vehicle.schema.entity]
    var leftOut = 0
    try withEvery("seed", in: seeds(20)) { seed in
      let store = try storage.makeStore(Citizen.self, Maker.self, Vehicle.self)
      let recorder = Recorder(store.commits)
      var writes = RandomWrites(generator: SeededGenerator(seed: seed))
      var random = RandomQueries(
        entities: entities, generator: SeededGenerator(seed: seed &+ 77_000))
      var world = World()
      for _ in 0..<12 {
        writes.world = world
        let before = world
        let told = recorder.values.count
        do {
          try store.commit { draft in
            for write in writes.writes() { try write.run(in: store, &draft) }
          }
        } catch is StoreError { continue }
        guard let commit = recorder.values[told...].first else { continue }
        for table in commit.changes.tables {
          let entity = table.entity
          for change in table.all {
            if let new = change.new {
              world.set(new.values, of: entity)
            } else {
              world.remove(change.id, of: entity)
            }
          }
        }
        try store.readStorage { reader in
          for _ in 0..<6 {
            let entity = entities[Int.random(in: 0..<3, using: &random.generator)]
            let condition = random.condition(on: entity, depth: 3)
            var concerned = Set(commit.changes[entity]?.all.map(\.id) ?? [])
            for read in RelationshipDependency.all(in: [condition]) {
              concerned.formUnion(try read.startIDs(changedBy: commit.changes, reading: reader))
            }
            for row in world.rows(of: entity) where !concerned.contains(row[entity.identity]) {
              leftOut += 1
              let old = before.row(of: entity, id: row[entity.identity]) ?? []
              let isSame = Plain.equal(
                before.evaluate(condition, old, entity), world.evaluate(condition, row, entity))
              expectTrue(isSame, "\(row) is left out for \(condition)")
            }
          }
        }
      }
    }
    // Commits have been made, and each concerned few objects.
    #expect(leftOut > 20)
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: a change of unread attributes concerns no query`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Citizen.self, Maker.self, Vehicle.self)
    try store.commit { draft in
      try draft.insert(Citizen(id: "a", name: "A"))
      try draft.insert(Citizen(id: "b", name: "B"))
      try draft.insert(Vehicle(id: 1, model: "1", year: 1, owner: Ref("a")))
      try draft.insert(Vehicle(id: 2, model: "2", year: 2, owner: Ref("b")))
    }
    let recorder = Recorder(store.commits)
    func concerned<E: Entity>(
      _ condition: (Row<E, E>) -> Condition<E>, by body: (inout Draft) throws -> Void
    ) throws -> Set<StoredValue> {
      try store.commit(body)
      let commit = try #require(recorder.values.last)
      let query = Query<E>().filter { condition($0) }
      let filter = try #require(query.description.filter)
      return try store.readStorage { reader in
        try RelationshipDependency.all(in: [filter]).reduce(into: []) {
          $0.formUnion(try $1.startIDs(changedBy: commit.changes, reading: reader))
        }
      }
    }
    let byName = { (vehicle: Row<Vehicle, Vehicle>) in vehicle.owner.name == "A" }
    #expect(try concerned(byName) { try $0.update(Citizen.self, "a") { $0.age = 1 } } == [])
    #expect(
      try concerned(byName) { try $0.update(Citizen.self, "a") { $0.name = "C" } } == [.integer(1)])
    let anyNew = { (citizen: Row<Citizen, Citizen>) in citizen.vehicles.any { $0.year > 1 } }
    #expect(try concerned(anyNew) { try $0.update(Vehicle.self, 1) { $0.price = 1 } } == [])
    #expect(
      try concerned(anyNew) { try $0.update(Vehicle.self, 1) { $0.year = 3 } } == [.text("a")])
    // The owner that was left and the one that was found.
    #expect(
      try concerned(anyNew) { try $0.update(Vehicle.self, 1) { $0.owner = Ref("b") } }
        == [.text("a"), .text("b")])
  }
}

@_spi(Storage) @testable import EntityStore
import Locking
import Relays
import TestSupport
import Testing

@Suite struct `S3: the changes of a store are its commits, filtered` {
  /// What a subscription was told of one commit, or should be.
  private struct Told: Hashable, CustomStringConvertible {
    let version: Int64
    var inserted: [[StoredValue]] = []
    var updated: [[[StoredValue]]] = []
    var attributes: [[String]] = []
    var deleted: [[StoredValue]] = []

    init(_ changes: EntityChanges<Parcel>) {
      version = changes.version
      inserted = changes.inserted.map { EntityRow($0).values }
      updated = changes.updated.map { [EntityRow($0.old).values, EntityRow($0.new).values] }
      attributes = changes.updated.map(\.attributes)
      deleted = changes.deleted.map { EntityRow($0).values }
    }

    /// What a commit means to those who see the objects for which `isSeen` holds.
    init?(_ commit: Commit, _ isSeen: ([StoredValue]) -> Bool) {
      version = commit.version
      let entity = Parcel.schema.entity
      let changes = commit.changes[entity].map { Array($0.all) } ?? []
      for change in changes.sorted(by: { Plain.compare($0.id, $1.id) < 0 }) {
        let (old, new) = (change.old?.values, change.new?.values)
        guard [old, new].contains(where: { $0.map(isSeen) ?? false }) else { continue }
        switch (old, new) {
        case (nil, let new?): inserted.append(new)
        case (let old?, nil): deleted.append(old)
        case (let old?, let new?):
          updated.append([old, new])
          attributes.append(
            old.indices.filter { !Plain.equal(old[$0], new[$0]) }.map { entity.columns[$0].name })
        case (nil, nil): break
        }
      }
      if inserted.isEmpty && updated.isEmpty && deleted.isEmpty { return nil }
    }

    var description: String { "\(version): +\(inserted) ~\(updated) -\(deleted)" }
  }

  /// A subscription, and when it began and ended.
  private struct Subscriber {
    let recorder: Recorder<EntityChanges<Parcel>>
    let name: String
    let start: Int
    let isSeen: ([StoredValue]) -> Bool
  }

  private func subscriber(
    _ store: Store, _ parcels: inout RandomParcels, after start: Int
  ) -> Subscriber {
    let entity = Parcel.schema.entity
    switch Int.random(in: 0..<8, using: &parcels.generator) {
    case 0:
      return Subscriber(
        recorder: Recorder(store.changes(of: Parcel.self)), name: "all", start: start
      ) { _ in true }
    case 1:
      let id = Int.random(in: 0..<10, using: &parcels.generator)
      return Subscriber(
        recorder: Recorder(store.changes(of: Parcel.self, id)), name: "id \(id)", start: start
      ) { Plain.equal($0[0], id.storedValue) }
    default:
      let condition = parcels.condition(depth: 3)
      let signal = store.changes(of: Parcel.self) { _ in Condition<Parcel>(condition) }
      return Subscriber(recorder: Recorder(signal), name: condition.description, start: start) {
        Plain.isTrue(World().evaluate(condition, $0, entity))
      }
    }
  }

  private func commit(_ store: Store, _ parcels: inout RandomParcels) throws {
    let count =
      parcels.generator.chance(0.1) ? 12 : Int.random(in: 1...4, using: &parcels.generator)
    try store.commit { draft in
      for _ in 0..<count {
        let parcel = parcels.parcel()
        switch Int.random(in: 0..<4, using: &parcels.generator) {
        case 0:
          if try draft.find(Parcel.self, parcel.id) != nil {
            try draft.delete(Parcel.self, parcel.id)
          }
        case 1:
          // One attribute alone, perhaps to what it is.
          if try draft.find(Parcel.self, parcel.id) != nil {
            try draft.update(Parcel.self, parcel.id) { $0.weight = parcel.weight }
          }
        default: try draft.upsert(parcel)
        }
      }
    }
  }

  @Test func `S3: by condition, by id and all, they are what a naive filter of the commits gives`()
    throws
  {
    var told = 0
    var entered = 0
    try withEvery("seed", in: seeds(70)) { seed in
      var parcels = RandomParcels(seed: seed)
      let store = try Store(.inMemory, entities: [Parcel.self, Owner.self])
      let commits = Recorder(store.commits)
      var subscribers: [Subscriber] = []
      for step in 0..<30 {
        for _ in 0..<Int.random(in: 0...3, using: &parcels.generator) {
          subscribers.append(subscriber(store, &parcels, after: commits.values.count))
        }
        try commit(store, &parcels)
        if step % 5 == 0 { try store.commit { try $0.upsert(Owner(id: step)) } }
        guard parcels.generator.chance(0.3), !subscribers.isEmpty else { continue }
        // One goes, and has been told exactly what happened while it was there.
        check(
          subscribers.remove(
            at: Int.random(in: subscribers.indices, using: &parcels.generator)), commits)
      }
      for subscriber in subscribers {
        check(subscriber, commits)
        told += subscriber.recorder.values.count
        for change in subscriber.recorder.values.flatMap(\.updated) {
          let (old, new) = (EntityRow(change.old).values, EntityRow(change.new).values)
          if subscriber.isSeen(old) != subscriber.isSeen(new) { entered += 1 }
        }
      }
      subscribers = []
      let isEmpty = store.registry.withLock { $0.isEmpty }
      expectTrue(isEmpty)
    }
    // So that it isn't about nothing.
    #expect(told > rounds(14_000))
    #expect(entered > rounds(2_000))
  }

  private func check(_ subscriber: Subscriber, _ commits: Recorder<Commit>) {
    expectEqual(
      subscriber.recorder.values.map { Told($0) },
      commits.values[subscriber.start...].compactMap { Told($0, subscriber.isSeen) },
      subscriber.name)
  }

  @Test func `S3: they come after the commit itself, in the order of subscription`() throws {
    let store = try Store(.inMemory, entities: [Parcel.self])
    let log = Log<String>()
    var parcels = RandomParcels(seed: 1)
    let parcel = parcels.parcel(1)
    let tokens = [
      store.changes(of: Parcel.self, 1).subscribe { _ in log.note("id") },
      store.changes(of: Parcel.self) { $0.id == 1 }.subscribe { _ in log.note("equal") },
      store.commits.subscribe { _ in log.note("commit") },
      store.changes(of: Parcel.self) { $0.id.in([1, 2]) }.subscribe { _ in log.note("in") },
      store.changes(of: Parcel.self) { $0.id >= 1 }.subscribe { _ in log.note("range") },
      store.changes(of: Parcel.self).subscribe { _ in log.note("all") },
      store.changes(of: Parcel.self) { $0.id != 2 }.subscribe { _ in log.note("no guard") },
      store.changes(of: Parcel.self, 2).subscribe { _ in log.note("other") },
    ]
    try store.commit { try $0.insert(parcel) }
    #expect(log.entries == ["commit", "id", "equal", "in", "range", "all", "no guard"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `S6: a condition on related objects traps`() async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Store(.inMemory, entities: [Owner.self, Pet.self])
      _ = store.changes(of: Pet.self) { $0.owner.name == "Ann" }
    }
    trap.expectMessage("A condition on Pet alone reads related objects")
  }
}

@_spi(Storage) @testable import EntityStore
import Fixtures
import TestSupport
import Testing

/// Thousands of short lives of a store in memory, beside a world of plain arrays.
@Suite(.oneThread) struct `A store in memory agrees with a simple model` {
  private static let entities = [
    Citizen.schema.entity, Maker.schema.entity, Vehicle.schema.entity,
  ]

  /// What was the case at a version, and what was held of it.
  private struct Moment {
    let version: Int64
    let world: World
    let snapshot: Store.Snapshot
  }

  @Test(arguments: 0..<8)
  func `S1 S2 S4: through commits nested, thrown, refused, swapped, undone and done again`(
    _ part: Int
  ) throws {
    try withEvery("seed", in: seeds(250, part: part)) { try live(seed: $0) }
  }

  private func live(seed: Int) throws {
    var writes = RandomWrites(generator: SeededGenerator(seed: seed))
    let store = try TestStorage.memory.makeStore(Citizen.self, Maker.self, Vehicle.self)
    store.historyLimit = 100
    var world = World()
    var moments = [Moment(version: 0, world: world, snapshot: try store.snapshot())]
    for round in 0..<8 {
      writes.world = world
      let commit = writes.writes()
      var drafted = world
      for write in commit { write.run(in: &drafted) }
      let (next, refusals) = drafted.judged(since: world)
      do {
        try store.commit(named: "\(round)") { draft in
          for write in commit { try write.run(in: store, &draft) }
          try expect(drafted, in: try #require(store.running))
        }
        expectTrue(refusals.isEmpty, "Not refused as \(refusals)")
      } catch let error as StoreError {
        let kind = "\(Mirror(reflecting: error).children.first?.label ?? "")"
        expectTrue(refusals.contains(kind), "Refused as \(error), not \(refusals)")
      }
      try store.readStorage { try expect(next, in: $0) }
      if next != world {
        moments.append(
          Moment(version: try store.version, world: next, snapshot: try store.snapshot()))
      }
      world = next
    }
    expectEqual(store.heldVersionCount, moments.count)
    expectEqual(store.history.map(\.version), moments.dropFirst().map(\.version))
    try undoAndRedo(store, moments)
    try replay(store, moments)
    for moment in moments { try expect(moment) }
  }

  /// Back to the beginning, step by step, and forth again.
  private func undoAndRedo(_ store: Store, _ moments: [Moment]) throws {
    for moment in moments.dropLast().reversed() {
      try store.undo()
      try store.readStorage { try expect(moment.world, in: $0) }
    }
    expectTrue(try store.undoNames.isEmpty && store.undo() == nil)
    for moment in moments.dropFirst() {
      try store.redo()
      try store.readStorage { try expect(moment.world, in: $0) }
    }
    expectTrue(try store.redoNames.isEmpty && store.redo() == nil)
  }

  private func replay(_ store: Store, _ moments: [Moment]) throws {
    let other = try TestStorage.memory.makeStore(Citizen.self, Maker.self, Vehicle.self)
    for commit in store.history { try other.replay(commit) }
    try other.readStorage { try expect(moments[moments.count - 1].world, in: $0) }
  }

  private func expect(_ moment: Moment) throws {
    expectEqual(moment.snapshot.version, moment.version)
    try moment.snapshot.withStorageReader { try expect(moment.world, in: $0) }
  }

  private func expect(_ world: World, in reader: any StorageReader) throws {
    for entity in Self.entities {
      let expected = world.rows(of: entity)
      let found = try reader.rows(FetchPlan(QueryDescription(entity: entity)))
      var foundWorld = World()
      for row in found { foundWorld.set(row.values, of: entity) }
      var expectedWorld = World()
      for row in expected { expectedWorld.set(row, of: entity) }
      expectTrue(foundWorld == expectedWorld, "\(found.map(\.values)) and not \(expected)")
      for row in expected {
        let id = row[entity.identity]
        expectTrue(try reader.row(of: entity, id: id) != nil, "\(id) isn't found")
        for key in entity.lookupKeys where !key.contains(where: { row[$0].isNull }) {
          let values = key.map { row[$0] }
          let ids = try reader.ids(of: entity, where: key, equal: values)
          let same = expected.filter { other in
            key.allSatisfy { Plain.equal(other[$0], row[$0]) }
          }
          expectEqual(ids.count, same.count)
          expectTrue(ids.contains(id), "\(id) isn't among \(ids) by \(values)")
        }
      }
    }
  }
}

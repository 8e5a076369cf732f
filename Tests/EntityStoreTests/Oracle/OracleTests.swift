@_spi(Storage) @testable import EntityStore
import Fixtures
import TestSupport
import Testing

/// Random commits and queries, on memory, on a file and in a plain world, which must agree.
@Suite(.oneThread) struct `Memory, file and a naive evaluation agree` {
  private static let entities = [
    Citizen.schema.entity, Maker.schema.entity, Vehicle.schema.entity,
  ]

  @Test(arguments: 0..<8)
  func `S4 S7 S8: on what random commits leave and random queries find`(_ part: Int) throws {
    try withEvery("seed", in: seeds(6, part: part)) { seed in
      try check(seed: seed, commits: 30, queries: 4)
    }
  }

  private func check(seed: Int, commits: Int, queries: Int) throws {
    var writes = RandomWrites(generator: SeededGenerator(seed: seed))
    var random = RandomQueries(
      entities: Self.entities, generator: SeededGenerator(seed: seed &+ 1_000_000))
    let stores = try (TestStorage.withServer + [.far]).map {
      try $0.makeStore(Citizen.self, Maker.self, Vehicle.self)
    }
    let recorders = stores.map { Recorder($0.commits) }
    var world = World()
    var version: Int64 = 0
    try withEvery("commit", in: 0..<commits) { _ in
      writes.world = world
      let commit = writes.writes()
      let plans = (0..<queries).map { _ in random.plan() }
      let middle = commit.count / 2
      var middleWorld = world
      for write in commit[..<middle] { write.run(in: &middleWorld) }
      var draftWorld = middleWorld
      for write in commit[middle...] { write.run(in: &draftWorld) }
      let (next, refusals) = draftWorld.judged(since: world)
      if next != world { version += 1 }
      for (store, recorder) in zip(stores, recorders) {
        let told = recorder.values.count
        do {
          try store.commit { draft in
            let reader = try #require(store.running)
            for write in commit[..<middle] { try write.run(in: store, &draft) }
            for plan in plans { try expectFinds(plan, reader, middleWorld) }
            for write in commit[middle...] { try write.run(in: store, &draft) }
            for plan in plans { try expectFinds(plan, reader, draftWorld) }
          }
          expectTrue(refusals.isEmpty, "Not refused as \(refusals)")
        } catch let error as StoreError {
          let kind = "\(Mirror(reflecting: error).children.first?.label ?? "")"
          expectTrue(refusals.contains(kind), "Refused as \(error), not \(refusals)")
        }
        try store.readStorage { reader in
          expectEqual(reader.version, version)
          for plan in plans { try expectFinds(plan, reader, next) }
          try expectAgreement(all: next, reader)
        }
        let commits = recorder.values[told...]
        expectEqual(commits.map(\.version), next == world ? [] : [version])
        if let commit = commits.first { expectAgreement(commit, from: world, to: next) }
      }
      world = next
    }
  }

  private func expectAgreement(all world: World, _ reader: any StorageReader) throws {
    for entity in Self.entities {
      let found = try reader.fetch(FetchPlan(QueryDescription(entity: entity))).map(\.row.values)
      var foundWorld = World()
      for row in found { foundWorld.set(row, of: entity) }
      var expected = World()
      for row in world.rows(of: entity) { expected.set(row, of: entity) }
      expectTrue(
        foundWorld == expected,
        "\(type(of: reader)) holds \(found) and not \(world.rows(of: entity))")
    }
  }

  private func expectAgreement(_ commit: Commit, from old: World, to new: World) {
    for entity in Self.entities {
      var touched: [StoredValue] = []
      for row in old.rows(of: entity) + new.rows(of: entity) {
        let id = row[entity.identity]
        let before = old.row(of: entity, id: id)
        let after = new.row(of: entity, id: id)
        if before != after, !touched.contains(where: { Plain.equal($0, id) }) {
          touched.append(id)
          let change = commit.changes[entity]?[id]
          expectEqual(change?.old?.values, before)
          expectEqual(change?.new?.values, after)
        }
      }
      let ids = commit.changes[entity]?.sorted.map(\.id) ?? []
      expectEqual(ids, touched.sorted { Plain.compare($0, $1) < 0 })
    }
  }
}

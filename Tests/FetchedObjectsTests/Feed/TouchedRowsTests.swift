import EntityStore
import Fixtures
import ListFixtures
import TestSupport
import Testing

@testable import FetchedObjects

@Suite(.oneThread) struct TouchedRowsTests {
  @Test(arguments: TestStorage.withServer, OracleQuery.all)
  func `F14: what two versions don't share is what may differ`(
    _ storage: TestStorage, _ oracle: OracleQuery
  ) throws {
    var differing = 0
    for seed in seeds(storage == .memory ? 20 : 3) {
      let store = try storage.makeGarage()
      var writer = RandomWriter(random: SeededGenerator(seed: seed))
      let model = try FetchedObjectsModel(oracle.query, in: store)
      var versions = [model.follower.shown.base]
      for _ in 0..<20 {
        try writer.commit(store)
        versions.append(model.follower.shown.base)
        for old in versions.suffix(6) {
          let new = versions[versions.count - 1]
          let touched = new.table.touched(since: old.table)
          #expect(Set(touched).count == touched.count, "each once")
          for id in 0..<writer.cars {
            let id = StoredValue.integer(Int64(id))
            let rows = (old.row(id), new.row(id))
            if case (nil, nil) = rows { continue }
            if let old = rows.0, let new = rows.1, !new.differs(from: old) { continue }
            differing += 1
            #expect(touched.contains(id), "seed \(seed), \(oracle.name): \(id) differs")
          }
          if old === new { #expect(touched.isEmpty) }
        }
      }
    }
    #expect(differing > 100)
  }

  @Test func `F14: of many rows only the few that changed are looked at`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      try draft.insert(ann)
      for id in 0..<5000 {
        try draft.insert(
          Car(id: id, model: "Model \(id)", year: 2000, owner: id < 3 ? Ref(ann) : nil))
      }
    }
    let model = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.model.ascending] }.including { $0.owner.name }, in: store)
    let old = model.follower.shown.base.table
    func touched() -> Set<StoredValue> {
      Set(model.follower.shown.base.table.touched(since: old))
    }
    func ids(_ ids: Int...) -> Set<StoredValue> { Set(ids.map { .integer(Int64($0)) }) }
    try store.commit { draft in try draft.update(Car.self, 4000) { $0.year = 1 } }
    #expect(touched() == ids(4000))
    try store.commit { draft in try draft.update(Person.self, 1) { $0.name = "Zoe" } }
    #expect(touched() == ids(4000, 0, 1, 2))
    // A new row may take the slot of one that has gone.
    try store.commit { draft in try draft.delete(Car.self, 77) }
    try store.commit { draft in
      try draft.insert(Car(id: 9999, model: "New", year: 1, owner: nil))
    }
    #expect(touched() == ids(4000, 0, 1, 2, 77, 9999))
  }
}

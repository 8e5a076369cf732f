import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import TestSupport
import Testing

/// A row that can stay where it was isn't told as a move from there to there.
@Suite struct PlaceKeepingModelTests {
  private func reverse(_ store: Store, _ count: Int) throws {
    try store.commit { draft in
      for id in 0..<count { try draft.update(Car.self, id) { $0.year = 3000 - $0.year } }
    }
  }

  @Test(arguments: [3, 5, 51])
  func `F3: rows that are turned round leave the one in the middle where it is`(_ count: Int) throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 0..<count {
        try draft.insert(Car(id: id, model: "\(id)", year: 1500 - count / 2 + id, owner: nil))
      }
    }
    let query = Query<Car>().sorted { [$0.year.ascending] }
    let model = try FetchedObjectsModel(query, in: store)
    let recorder = Recorder(model.didChange)
    try reverse(store, count)
    let moves = try #require(recorder.values.last?.changes.moves)
    #expect(moves.count == count - 1)
    #expect(moves.allSatisfy { $0.old != $0.new })
    // By another query.
    try model.setQuery(Query<Car>().sorted { [$0.year.descending] })
    let turned = try #require(recorder.values.last?.changes.moves)
    #expect(recorder.values.count == 2)
    #expect(turned.count == count - 1)
    #expect(turned.allSatisfy { $0.old != $0.new })
  }
}

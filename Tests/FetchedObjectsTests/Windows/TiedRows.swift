import EntityStore
@testable import FetchedObjects
import Fixtures

/// Rows with many ties, so that they have to be compared by their ids.
enum TiedRows {
  static let entities: [any Entity.Type] = [Person.self, Car.self]
  static let count = 1600
  static let byYear = Query<Car>().filter { $0.model != "out" }.sorted { [$0.year.ascending] }
}

extension Store {
  func fillTiedRows() throws {
    try commit { draft in
      try draft.insert(
        contentsOf: (0..<TiedRows.count).map {
          Car(id: $0, model: "in", year: $0 / 40, owner: nil)
        })
    }
  }
}

extension FetchedObjectsModel {
  /// How many rows the engine keeps for the model.
  var keptRows: Int { shown.result.base.table.count }
}

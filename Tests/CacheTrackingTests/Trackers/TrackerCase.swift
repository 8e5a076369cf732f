import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Testing

/// A kind of tracker on a storage, of which all pass the same tests (F10).
struct TrackerCase: Sendable, CustomTestStringConvertible {
  let kind: TrackerKind
  let storage: TestStorage
  var testDescription: String { "\(kind) on \(storage)" }

  static let all = TrackerKind.allCases.flatMap { kind in
    TestStorage.withServer.map { TrackerCase(kind: kind, storage: $0) }
  }

  /// Returns a filled garage, a tracker in it, and what takes the tracker's batches.
  func makeFilled() throws -> (store: Store, tracker: TestTracker, consumer: Consumer) {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let tracker = kind.make(store)
    return (store, tracker, Consumer(tracker))
  }
}

/// Cars by their models, with the tag "recent".
let recentCars = CacheRequest(
  Car.self, predicate: { $0.year > 1990 }, orderings: { [$0.model.ascending] },
  filterValue: "recent")

extension OracleQuery {
  /// Those whose rows can be shown by one tracker: all include the owner's name.
  static let shown = all.map { oracle in
    OracleQuery(
      name: oracle.name, query: oracle.query.including { $0.owner.name }, includesOwner: true,
      isSectioned: oracle.isSectioned, belongs: oracle.belongs, section: oracle.section,
      keys: oracle.keys)
  }
}

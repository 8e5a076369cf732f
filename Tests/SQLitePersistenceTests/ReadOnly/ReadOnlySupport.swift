import EntityStore
import FetchedObjects
import Foundation
import SQLitePersistence
import TestSupport

/// Opens a garage of which nothing is written.
func readGarage(
  _ path: String, watching: StorageKind.FileWatching = .none,
  busyTimeout: Duration = .seconds(300), migrations: [Migration] = []
) throws -> Store {
  try Store(
    .sqlite(
      path: path, access: .readOnly, watching: watching, busyTimeout: busyTimeout,
      migrations: migrations),
    entities: [Person.self, Car.self])
}

/// A car whose model is no other's.
func numberedCar(_ id: Int) -> Car { Car(id: id, model: "m\(id)") }

/// The path of a file in a new folder of its own.
func pathInOwnFolder(_ name: String = "store.sqlite") throws -> String {
  let folder = temporaryPath("read-only")
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  return folder + "/" + name
}

/// The folder of a file.
func enclosingFolder(of path: String) -> String {
  URL(fileURLWithPath: path).deletingLastPathComponent().path
}

/// Opens a file to read only, reads it in each way, and closes it.
///
/// - Returns: the ids of its cars.
func readInEachWay(
  _ path: String, watching: StorageKind.FileWatching = .automatic
) async throws -> [Int] {
  let store = try readGarage(path, watching: watching)
  let model = try FetchedObjectsModel(Query<Car>(), in: store)
  let ids = model.fetchedObjects.map(\.id)
  let fetched = try store.fetch(Query<Car>()).map(\.id)
  let count = try store.count(Query<Car>())
  let found = try ids.filter { try store.find(Car.self, $0) != nil }
  precondition(fetched == ids && count == ids.count && found == ids)
  try store.refresh()
  precondition(store.suspend(within: .seconds(300)))
  store.resume()
  await store.close()
  return ids
}

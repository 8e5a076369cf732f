@_spi(Storage) import EntityStore
import Fixtures
import ListFixtures
import Testing

extension FaultyStorage {
  /// Returns a store of people and cars in this storage.
  func makeGarage() throws -> Store {
    try Store(.custom { self }, entities: [Person.self, Car.self])
  }

  /// Makes a commit of random changes that fails when everything has been prepared.
  ///
  /// The writer stays as it is. So its next commit may make the same changes, and succeeds.
  func failCommit(of writer: RandomWriter, in store: Store) {
    var writer = writer
    let car = Car(id: 50, model: "A", year: 2005, owner: nil)
    fail(at: .commit)
    do {
      try store.commit { draft in
        try draft.insert(car)
        try writer.commit(store)
      }
      Issue.record("A commit succeeded although the storage fails")
    } catch StoreError.missingReference {
      // The commit was refused before it reached the storage, which still fails.
      #expect(throws: Fault()) { try store.commit { try $0.insert(car) } }
    } catch {
      #expect(error is Fault)
    }
  }
}

@_spi(Storage) package import EntityStore
package import Fixtures
internal import Locking

/// Cars of a few years, with their owners: a commit to a car of other years doesn't concern them.
package let recentCarsWithOwners = Query<Car>().filter {
  $0.year > 1990
  $0.owner.name != nil
}
.sorted { [$0.model.ascending] }
.including { $0.owner.name }

/// A garage whose commits can be made unreadable, with one old car besides.
package struct UnreadCommits {
  private let storage = FlakyStorage()
  package let store: Store

  package init() throws {
    let storage = storage
    store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    try store.commit { try $0.insert(Car(id: 7, model: "Opel", year: 1960, owner: nil)) }
  }

  /// Makes a commit that can't be read, and then one to the old car.
  ///
  /// - Parameter failing: 1 if observers can't read it, 2 if nobody can.
  /// - Throws: What committing throws.
  package func commitUnread(failing: Int = 1) throws {
    storage.isFailing.store(failing)
    try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 2000, owner: Ref(bob))) }
    storage.isFailing.store(0)
    try touchOther(1)
  }

  /// Makes a commit to the old car.
  package func touchOther(_ year: Int) throws {
    try store.commit { try $0.update(Car.self, 7) { $0.year = year } }
  }
}

package import EntityStore
package import Fixtures

/// Drivers by id, and the same in the order of another query; both include the age of the chief.
package let driversByID = Query<Driver>().filter { $0.id < 9 }.sorted { [$0.id.ascending] }
  .including { $0.chief.age }
package let driversByIDAndName = Query<Driver>().filter { $0.id < 9 }
  .sorted { [$0.id.ascending, $0.name.ascending] }.including { $0.chief.age }

/// A store of the drivers 1 and 2; the chief of 2 is missing.
package func makeChieflessFleet(_ storage: TestStorage) throws -> Store {
  let store = try storage.makeDriverFleet()
  try store.commit { draft in
    try draft.insert(Driver(id: 1, name: "Ann", age: 30, firm: nil, chief: nil))
    try draft.insert(Driver(id: 2, name: "Bob", age: 40, firm: nil, chief: Ref(9)))
  }
  return store
}

package func insertChief(_ store: Store) throws {
  try store.commit { try $0.insert(Driver(id: 9, name: "Eve", age: nil, firm: nil, chief: nil)) }
}

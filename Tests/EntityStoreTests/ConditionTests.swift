import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `Conditions are two-valued` {
  private func makeTown(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore(Citizen.self, Maker.self, Vehicle.self)
    try store.commit { draft in
      try draft.insert(Maker(id: 1, name: "Volvo", logo: nil))
      try draft.insert(Citizen(id: "ann", name: "Ann", age: 30, isActive: true))
      try draft.insert(
        Citizen(id: "bob", name: nil, age: nil, isActive: nil, boss: Ref("ann"), employer: Ref(1)))
      try draft.insert(Citizen(id: "cid", name: "Cid", age: 40, isActive: false, boss: Ref("bob")))
      try draft.insert(Vehicle(id: 1, model: "A", year: 1990, owner: Ref("ann")))
      try draft.insert(Vehicle(id: 2, model: "B", year: 2000, price: 9, owner: Ref("ann")))
      try draft.insert(Vehicle(id: 3, model: "C", year: 2010, owner: Ref("bob")))
      try draft.insert(Vehicle(id: 4, model: "D", year: 2020, owner: nil))
    }
    return store
  }

  private func expect<E: Entity>(
    _ store: Store, _ expected: [E.ID], sourceLocation: SourceLocation = #_sourceLocation,
    @Condition<E>.Builder _ condition: (Row<E, E>) -> Condition<E>
  ) throws {
    let query = Query<E>().filter(condition)
    let opposite = Query<E>().filter { !condition($0) }
    let all = try store.fetch(Query<E>()).map(\.id)
    #expect(try store.fetch(query).map(\.id) == expected, sourceLocation: sourceLocation)
    #expect(try store.count(query) == expected.count, sourceLocation: sourceLocation)
    #expect(
      try store.fetch(opposite).map(\.id) == all.filter { !expected.contains($0) },
      "negated", sourceLocation: sourceLocation)
    try store.commit { draft in
      let found = try draft.fetch(query).map(\.id)
      #expect(found == expected, "in a draft", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: nil equals only nil, and every other test with nil is false`(_ storage: TestStorage)
    throws
  {
    let store = try makeTown(storage)
    try expect(store, ["bob"]) { (citizen: Row<Citizen, Citizen>) in citizen.name == nil }
    try expect(store, ["bob"]) { (citizen: Row<Citizen, Citizen>) in citizen.age.isNil }
    try expect(store, ["ann", "cid"]) { (citizen: Row<Citizen, Citizen>) in citizen.name != nil }
    try expect(store, ["bob", "cid"]) { (citizen: Row<Citizen, Citizen>) in citizen.name != "Ann" }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in citizen.age < 40 }
    try expect(store, ["ann", "cid"]) { (citizen: Row<Citizen, Citizen>) in citizen.age <= 40 }
    try expect(store, ["cid"]) { (citizen: Row<Citizen, Citizen>) in citizen.age > 30 }
    try expect(store, ["ann", "cid"]) { (citizen: Row<Citizen, Citizen>) in citizen.age >= 30 }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in 40 > citizen.age }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in citizen.age.in(20...30) }
    try expect(store, []) { (citizen: Row<Citizen, Citizen>) in citizen.age.in(20..<30) }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in 20...30 ~= citizen.age }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in 20..<31 ~= citizen.age }
    try expect(store, []) { (citizen: Row<Citizen, Citizen>) in 20..<30 ~= citizen.age }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in [30, 50].contains(citizen.age)
    }
    try expect(store, []) { (citizen: Row<Citizen, Citizen>) in [Int]().contains(citizen.age) }
    try expect(store, ["ann", "cid"]) { (citizen: Row<Citizen, Citizen>) in
      citizen.name.hasPrefix("")
    }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in citizen.name.hasSuffix("nn") }
    try expect(store, ["cid"]) { (citizen: Row<Citizen, Citizen>) in citizen.name.contains("i") }
    try expect(store, [String]()) { (citizen: Row<Citizen, Citizen>) in citizen.name.isEmpty }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in citizen.isActive }
    try expect(store, ["bob", "cid"]) { (citizen: Row<Citizen, Citizen>) in !citizen.isActive }
    try expect(store, ["cid"]) { (citizen: Row<Citizen, Citizen>) in citizen.isActive == false }
    try expect(store, ["ann", "bob", "cid"]) { (citizen: Row<Citizen, Citizen>) in
      citizen.age == citizen.age
    }
    try expect(store, ["ann", "cid"]) { (citizen: Row<Citizen, Citizen>) in
      citizen.age <= citizen.age
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: a step through nil is nil`(_ storage: TestStorage) throws {
    let store = try makeTown(storage)
    try expect(store, [4]) { (vehicle: Row<Vehicle, Vehicle>) in vehicle.owner.isNil }
    try expect(store, [3, 4]) { (vehicle: Row<Vehicle, Vehicle>) in vehicle.owner.name == nil }
    try expect(store, [1, 2, 3, 4]) { (vehicle: Row<Vehicle, Vehicle>) in
      vehicle.owner.name != ""
    }
    try expect(store, [1, 2]) { (vehicle: Row<Vehicle, Vehicle>) in vehicle.owner.name > "" }
    try expect(store, [3]) { (vehicle: Row<Vehicle, Vehicle>) in
      vehicle.owner.boss.name == "Ann"
    }
    try expect(store, [1, 2, 4]) { (vehicle: Row<Vehicle, Vehicle>) in
      vehicle.owner.employer.id == nil
    }
    try expect(store, [3]) { (vehicle: Row<Vehicle, Vehicle>) in vehicle.owner == Ref("bob") }
    try expect(store, [1, 2, 4]) { (vehicle: Row<Vehicle, Vehicle>) in
      vehicle.owner != Ref("bob")
    }
    try expect(store, [4]) { (vehicle: Row<Vehicle, Vehicle>) in vehicle.owner == nil }
    try expect(store, [1, 2]) { (vehicle: Row<Vehicle, Vehicle>) in vehicle.owner.isActive }
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: to-many tests count the objects that meet them`(_ storage: TestStorage) throws {
    let store = try makeTown(storage)
    try expect(store, ["cid"]) { (citizen: Row<Citizen, Citizen>) in citizen.vehicles.isEmpty }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in citizen.vehicles.count > 1 }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in
      citizen.vehicles.any { $0.year < 2000 }
    }
    // Of no vehicles all do.
    try expect(store, ["bob", "cid"]) { (citizen: Row<Citizen, Citizen>) in
      citizen.vehicles.all { $0.year >= 2000 }
    }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in
      citizen.vehicles.any { $0.price > 0 }
    }
    try expect(store, ["cid"]) { (citizen: Row<Citizen, Citizen>) in
      citizen.vehicles.all { $0.price > 0 }
    }
    try expect(store, ["ann", "bob"]) { (citizen: Row<Citizen, Citizen>) in
      citizen.vehicles.count { $0.price == nil } == 1
    }
    try expect(store, [3]) { (vehicle: Row<Vehicle, Vehicle>) in
      vehicle.owner.boss.vehicles.any { $0.owner.name == "Ann" }
    }
    // Nobody's vehicles are none.
    try expect(store, [3, 4]) { (vehicle: Row<Vehicle, Vehicle>) in
      vehicle.owner.vehicles.count { $0.year > 0 } != 2
    }
    try expect(store, ["ann"]) { (citizen: Row<Citizen, Citizen>) in
      citizen.staff.any { $0.staff.any { $0.name == "Cid" } }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: nil sorts first, last when descending, or where the order says`(_ storage: TestStorage)
    throws
  {
    let store = try makeTown(storage)
    func order(_ key: (Row<Citizen, Citizen>) -> Ordering<Citizen>) throws -> [String] {
      try store.fetch(Query<Citizen>().sorted { [key($0)] }).map(\.id)
    }
    #expect(try order { $0.age.ascending } == ["bob", "ann", "cid"])
    #expect(try order { $0.age.descending } == ["cid", "ann", "bob"])
    #expect(try order { $0.age.ascending.nilsLast } == ["ann", "cid", "bob"])
    #expect(try order { $0.age.descending.nilsFirst } == ["bob", "cid", "ann"])
    #expect(try order { $0.boss.age.ascending } == ["ann", "cid", "bob"])
    #expect(try order { $0.boss.age.descending } == ["bob", "ann", "cid"])
    #expect(try order { $0.vehicles.count.descending } == ["ann", "bob", "cid"])
    #expect(try order { ($0.age > 30).descending } == ["cid", "ann", "bob"])
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: lines of a filter, branches and loops are joined by and`(_ storage: TestStorage) throws
  {
    let store = try makeTown(storage)
    for isStrict in [false, true] {
      let query = Query<Vehicle>()
        .filter {
          $0.year > 1990
          if isStrict {
            $0.price == nil
          }
          for year in [2010, 2011] {
            $0.year != year
          }
        }
        .filter { ($0.model == "B") || ($0.model == "D") }
      #expect(try store.fetch(query).map(\.id) == (isStrict ? [4] : [2, 4]))
    }
  }

  @Test(.oneThread, arguments: TestStorage.withServer)
  func `S7: conditions may be many, lists long and nesting deep`(_ storage: TestStorage) throws {
    let store = try makeTown(storage)
    let query = Query<Vehicle>()
    let years = Array(0..<2_000)
    #expect(try store.count(query.filter { years.contains($0.year) }) == 1)
    #expect(
      try store.count(
        query.filter { vehicle in
          for year in years { vehicle.year != year }
        }) == 3)
    let one = query.filter { vehicle in
      years.dropFirst().reduce(vehicle.year == 0) { $0 || (vehicle.year == $1 + 11) }
    }
    #expect(try store.count(one) == 3)
    let narrowed = years.reduce(query) { query, year in query.filter { $0.year != year } }
    #expect(try store.count(narrowed) == 3)
    let negated = query.filter { vehicle in
      (0..<2_001).reduce(vehicle.year == 2010) { condition, _ in !condition }
    }
    #expect(try store.fetch(negated).map(\.id) == [1, 2, 4])
    let lists = query.filter { vehicle in
      for start in 0..<70 { !(start * 500..<start * 500 + 500).contains(vehicle.id) }
    }
    #expect(try store.fetch(lists).isEmpty)
    // SQLite joins 64 tables at most.
    let folders = try storage.makeStore(Folder.self)
    try folders.commit { draft in
      for id in 1...80 { try draft.insert(Folder(id: id, parent: id == 1 ? nil : Ref(id - 1))) }
    }
    for steps in [59, 60, 61, 62, 63, 70] {
      let far = Query<Folder>().filter { folder in
        (0..<steps).reduce(folder) { row, _ in row.parent }.id == 1
      }
      #expect(try folders.fetch(far).map(\.id) == [1 + steps], "\(steps)")
    }
  }

  @Test func `What a query includes and sums up is collected with branches and loops`() {
    func query(_ isWide: Bool, times: Int) -> Query<Stamp> {
      Query<Stamp>().including {
        $0.owner.name
        if isWide { $0.passport } else { $0.passport.id }
        if times > 5 { $0.owner.id }
        for _ in 0..<times { $0.passport.owner.name }
      }.aggregating {
        $0.owner.id
        if isWide { $0.passport.id }
        for _ in 0..<times { $0.id }
      }
    }
    #expect(
      query(true, times: 1)
        == Query<Stamp>().including {
          $0.owner.name
          $0.passport
          $0.passport.owner.name
        }.aggregating {
          $0.owner.id
          $0.passport.id
          $0.id
        })
    #expect(
      query(false, times: 0)
        == Query<Stamp>().including {
          $0.owner.name
          $0.passport.id
        }.aggregating { $0.owner.id })
    #expect(query(true, times: 1) != query(false, times: 1))
    #expect(Set([query(true, times: 1), query(true, times: 1), query(true, times: 0)]).count == 2)
  }
}

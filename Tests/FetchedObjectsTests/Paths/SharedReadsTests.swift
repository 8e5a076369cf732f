@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import TestSupport
import Testing

/// Rows that refer to the same object share what is read of it.
@Suite struct SharedReadsTests {
  private static let count = 300

  /// A store with 300 cars of Ann's, and a list whose rows read five things of their owners.
  private static func open(
    _ storage: FarStorage
  ) throws -> (Store, FetchedObjectsModel<Car>) {
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(contentsOf: (0..<count).map { car($0, of: ann) })
    }
    let query = Query<Car>()
      .filter { $0.owner.cars.count > 1 }
      .including {
        $0.owner
        $0.owner.cars.sum { $0.year }
        $0.owner.cars.values { $0.model }
      }
    return (store, try FetchedObjectsModel(query, in: store))
  }

  private static func car(_ id: Int, of owner: Person) -> Car {
    Car(id: id, model: "\(id)", year: id, owner: Ref(owner))
  }

  @Test func `F5: a value of one owner is made once for all rows that show it`() throws {
    for readsAhead in [false, true] {
      let storage = FarStorage(readsAhead: readsAhead)
      let (store, list) = try Self.open(storage)
      let events = Recorder(list.didChange)
      let start = storage.trips.load()
      try store.commit { try $0.insert(Self.car(Self.count, of: ann)) }
      // Each row is looked up once, and each of the owner's cars once for each expression, if they
      // aren't read together.
      let trips = storage.trips.load() - start
      #expect(trips < (readsAhead ? 20 : 4 * Self.count), "\(readsAhead): \(trips)")
      #expect(events.values.map(\.changes.updates.count) == [Self.count])
      let sum = Self.count * (Self.count + 1) / 2
      #expect(list.snapshot.rows.allSatisfy { $0.owner?.cars.sum { $0.year } == sum })
    }
  }

  @Test func `F5: what new rows and a changed object concern is read together`() throws {
    let storage = FarStorage()
    let (store, list) = try Self.open(storage)
    let owners = (1...Self.count).map { Person(id: 1000 + $0, name: "\($0)") }
    var start = storage.trips.load()
    try store.commit { draft in
      try draft.insert(contentsOf: owners)
      for (place, owner) in owners.enumerated() {
        try draft.insert(Self.car(1000 + 2 * place, of: owner))
        try draft.insert(Self.car(1001 + 2 * place, of: owner))
      }
    }
    // The draft looks for each new id, and for the owner of each car.
    let ofDraft = 2 * Self.count + 2 * Self.count + Self.count
    #expect(storage.trips.load() - start < ofDraft + 40)
    #expect(list.count == 3 * Self.count)
    start = storage.trips.load()
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Zoe" } }
    #expect(storage.trips.load() - start < 20)
    #expect(list.snapshot.rows.count { $0.owner?.name == "Zoe" } == Self.count)
  }

  @Test func `F5: the objects of many rows are read together, and of one`() throws {
    let storage = FarStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    let owners = (1...600).map { Person(id: $0, name: "\($0)") }
    let each = 100
    try store.commit { draft in
      try draft.insert(contentsOf: owners)
      try draft.insert(
        contentsOf: (0..<owners.count * each).map { Self.car($0, of: owners[$0 / each]) })
    }
    let list = try FetchedObjectsModel(
      Query<Person>().including { $0.cars.sum { $0.year } }, in: store)
    var start = storage.trips.load()
    try store.commit { draft in
      for owner in owners { try draft.update(Person.self, owner.id) { $0.age = 1 } }
    }
    // The draft looks up each person.
    #expect(storage.trips.load() - start < owners.count + 80)
    start = storage.trips.load()
    try store.commit { try $0.update(Car.self, 5) { $0.year = 1005 } }
    #expect(storage.trips.load() - start < 15)
    #expect(list.snapshot.rows.first?.cars.sum { $0.year } == each * (each - 1) / 2 + 1000)
  }

  @Test func `F5: a change that concerns more rows than are kept takes few requests`() throws {
    let storage = FarStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    let count = 17_000
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(contentsOf: (0..<count).map { Self.car($0, of: ann) })
    }
    let list = try FetchedObjectsModel(Query<Car>().including { $0.owner.name }, in: store)
    let start = storage.trips.load()
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Zoe" } }
    #expect(storage.trips.load() - start < 300)
    #expect(list.snapshot.rows.allSatisfy { $0.owner?.name == "Zoe" })
  }

  @Test func `F5: the objects of many rows are counted together`() throws {
    let storage = FarStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    let owners = (1...600).map { Person(id: $0, name: "\($0)") }
    try store.commit { draft in
      try draft.insert(contentsOf: owners)
      try draft.insert(contentsOf: (0..<1800).map { Self.car($0, of: owners[$0 / 3]) })
    }
    let list = try FetchedObjectsModel(Query<Person>().including { $0.cars.count }, in: store)
    let start = storage.trips.load()
    try store.commit { draft in
      for owner in owners { try draft.update(Person.self, owner.id) { $0.age = 1 } }
    }
    // The draft looks up each person.
    #expect(storage.trips.load() - start < owners.count + 80)
    try store.commit { try $0.insert(Self.car(1800, of: owners[0])) }
    #expect(list.snapshot.rows.first?.cars.count == 4)
    #expect(list.snapshot.rows.dropFirst().allSatisfy { $0.cars.count == 3 })
  }

  @Test func `F5: to count the objects of a few rows, none of them is read`() throws {
    let storage = FarStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { draft in
      for owner in [ann, bob] {
        try draft.insert(owner)
        try draft.insert(
          contentsOf: (0..<Self.count).map { Self.car(owner.id * 10_000 + $0, of: owner) })
      }
    }
    let list = try FetchedObjectsModel(Query<Person>().including { $0.cars.count }, in: store)
    let start = storage.rows.load()
    try store.commit { draft in
      for owner in [ann, bob] { try draft.insert(Self.car(owner.id, of: owner)) }
    }
    #expect(storage.rows.load() - start < 20)
    #expect(list.snapshot.rows.map { $0.cars.count } == [Self.count + 1, Self.count + 1])
  }

  @Test(arguments: [false, true])
  func `F7: the values of the rows of a window are read together`(_ hasIndex: Bool) throws {
    let storage = FarStorage()
    let (store, whole) = try Self.open(storage)
    var query = Query<Car>().including {
      $0.owner.name
      $0.owner.cars.sum { $0.year }
    }
    // Rows near the beginning are kept, unless other objects decide about them.
    if hasIndex { query = query.filter { $0.owner.name != "" } }
    var start = storage.trips.load()
    let list = try FetchedObjectsModel(query.limit(20), in: store)
    #expect(storage.trips.load() - start < 30)
    let events = Recorder(list.didChange)
    start = storage.trips.load()
    try store.commit { draft in
      try draft.insert(Self.car(-1, of: ann))
      // As many others cross the edge.
      for id in 5..<15 { try draft.delete(Car.self, id) }
    }
    // The whole list takes less than half of them.
    #expect(storage.trips.load() - start < 80)
    #expect(events.values.count == 1)
    let sum = Self.count * (Self.count - 1) / 2 - 1 - (5..<15).reduce(0, +)
    #expect(list.snapshot.rows.allSatisfy { $0.owner?.cars.sum { $0.year } == sum })
    #expect(whole.count == Self.count + 1 - 10)
  }

  /// A number whose reads are counted.
  fileprivate struct CountedNumber: Storable, Hashable {
    static let reads = AtomicWord(0)
    let number: Int64

    static var storedType: StoredType { .integer }

    var storedValue: StoredValue {
      Self.reads.add(1)
      return .integer(number)
    }

    init(_ number: Int) { self.number = Int64(number) }

    init(storedValue: StoredValue) throws {
      guard case .integer(let number) = storedValue else {
        throw StoredValue.Mismatch(storedValue, type: Self.self)
      }
      self.number = number
    }
  }

  fileprivate struct Piece: Entity {
    let id: Int
    var number: CountedNumber
    var owner: Ref<Person>?
    static let attributes = Attributes(
      .id(\Piece.id), .attribute("number", \.number),
      .one("owner", \.owner, inverse: \.pieces, onDelete: .nullify))
    static let schema = Schema(attributes, Piece.init)
  }

  @Test func `S7: in memory, each owner's value is made once for a whole result`() throws {
    let store = try Store(.inMemory, entities: [Person.self, Piece.self])
    let count = 2000
    func piece(_ id: Int) -> Piece {
      Piece(id: id, number: CountedNumber(id), owner: Ref(ann))
    }
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(contentsOf: (0..<count).map(piece))
    }
    let query = Query<Piece>()
      .filter { $0.owner.pieces.max { $0.number } != nil }
      .including { $0.owner.pieces.max { $0.number } }
    var start = CountedNumber.reads.load()
    let list = try FetchedObjectsModel(query, in: store)
    #expect(list.count == count)
    #expect(try store.count(query) == count)
    // Made for each piece again, these would be millions.
    #expect(CountedNumber.reads.load() - start < 30 * count)
    start = CountedNumber.reads.load()
    try store.commit { try $0.insert(piece(count)) }
    #expect(CountedNumber.reads.load() - start < 30 * count)
    #expect(
      list.snapshot.rows.first?.owner?.pieces.max { $0.number }?.number == Int64(count))
  }
}

extension Person {
  fileprivate var pieces: Many<Person, SharedReadsTests.Piece> { Many(\.owner) }
}

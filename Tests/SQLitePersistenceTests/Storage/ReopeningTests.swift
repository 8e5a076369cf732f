@_spi(Storage) import EntityStore
import Foundation
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A file keeps what was committed` {
  @Test(arguments: [Durability.full, .normal])
  func `P1: a reopened file has every object, as it was, and the version`(_ durability: Durability)
    throws
  {
    let path = temporaryPath()
    func open() throws -> Store {
      try Store(.sqlite(path: path, durability: durability), entities: [Person.self, Car.self])
    }
    try open().fill()
    let store = try open()
    #expect(try store.version == 1)
    let people = try store.fetch(Query<Person>())
    #expect(people.map(\.id) == ["ann", "e\u{301}"])
    #expect(people.map { Array($0.name.utf8) } == [[65, 110, 110], [97, 0, 98]])
    #expect(people.map(\.height) == [0, 1.5])
    #expect(people.map(\.photo) == [[], [0, 255]])
    let cars = try store.fetch(Query<Car>())
    #expect(cars.map(\.id) == [.min, .max])
    #expect(cars.map { Array($0.model.utf8) } == [[], Array("\u{212A}".utf8)])
    #expect(cars.map(\.owner) == [Ref("ann"), nil])
    #expect(cars.map(\.tower) == [nil, Ref(7)])
    try store.commit { try $0.delete(Person.self, "ann") }
    #expect(try open().version == 2)
    #expect(try open().find(Car.self, .min)?.owner == nil)
  }

  @Test func `P1: a closed store leaves one file, with everything in it`() throws {
    let path = temporaryPath()
    do {
      let store = try openGarage(path)
      try store.fill()
      #expect(try store.count(Query<Car>()) == 2)
    }
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(!FileManager.default.fileExists(atPath: path + "-shm"))
    let copy = temporaryPath()
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try openGarage(copy).count(Query<Car>()) == 2)
  }

  @Test func `P1: two stores on one file take turns and see each other's commits`() throws {
    let path = temporaryPath()
    let (a, b) = (try openGarage(path), try openGarage(path))
    for number in 0..<10 {
      let store = number % 2 == 0 ? a : b
      try store.commit { draft in
        #expect(try draft.count(Query<Person>()) == number)
        try draft.insert(Person(id: "\(number)", name: "\(number)"))
      }
    }
    #expect(try a.version == 10)
    #expect(try b.version == 10)
  }

  @Test func `S5: a read sees the old version while a commit is written and is never held up`()
    throws
  {
    let path = temporaryPath()
    let store = try openGarage(path)
    try store.fill()
    let storage = try SQLiteStorage(path: path)
    _ = try storage.open([Person.schema.entity, Car.schema.entity])
    let transaction = try storage.begin()
    // Another connection's write transaction is open, rows written: reads are at the version before.
    for _ in 0..<10 {
      #expect(try store.count(Query<Person>()) == 2)
      #expect(try store.version == 1)
      #expect(try storage.read { $0.version } == 1)
    }
    transaction.rollBack()
    try store.commit { try $0.delete(Person.self, "ann") }
    #expect(try store.version == 2)
  }

  @Test func `P3: more kinds of queries than statements are kept, in a read and in a commit`()
    throws
  {
    let store = try openGarage(temporaryPath())
    try store.fill()
    // The last is too long for SQL: our own evaluation runs other statements while it steps.
    let lists = (1...230).map { count in (0..<count).map { "\($0)" } + ["Ann"] }
    let long = (0..<20_000).map { "\($0)" } + ["Ann"]
    let queries = (lists + [long]).map { names in
      Query<Person>().filter { $0.name.in(names) }
    }
    let found = try store.read { reader in
      var found: [Int] = []
      for query in queries { found.append(try reader.fetch(query).count) }
      return found
    }
    #expect(found == queries.map { _ in 1 })
    try store.commit { draft in
      try draft.update(Person.self, "ann") { $0.height = 2 }
      for query in queries { _ = try draft.fetch(query) }
      try draft.insert(Person(id: "new", name: "new"))
    }
    #expect(try store.count(Query<Person>()) == 3)
    let byOwner = Query<Car>().filter { $0.owner.name.in(long) }
    let cars = try store.read { reader in
      for query in queries { _ = try reader.count(query) }
      return try reader.fetch(byOwner).count
    }
    #expect(cars == 1)
  }
}

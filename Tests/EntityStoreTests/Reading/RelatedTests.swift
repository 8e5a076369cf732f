@_spi(Storage) import EntityStore
import Fixtures
import Locking
import TestSupport
import Testing

extension Passport {
  fileprivate var stamps: Many<Passport, Stamp> { Many(\.passport) }
}

@Suite struct `Related objects are found by every reader` {
  @Test(arguments: TestStorage.withServer)
  func `S5: those that refer to an owner, in the order that the relationship names`(
    _ storage: TestStorage
  ) throws {
    struct ToMany: ReadingCheck {
      func run(on reading: borrowing some StoreReading & ~Copyable, _ stock: Stock) throws {
        for shelf in stock.shelves {
          let expected = stock.books.filter { $0.shelf == Ref(shelf) }.sorted { a, b in
            if a.volume != b.volume { return a.volume ?? .min < b.volume ?? .min }
            let (x, y) = (Array(a.title.utf8), Array(b.title.utf8))
            return x == y ? a.id < b.id : y.lexicographicallyPrecedes(x)
          }.map(\.id)
          expectEqual(try reading.fetch(\.books, of: shelf).map(\.id), expected)
          expectEqual(try reading.fetch(\.books, of: Ref(shelf)).map(\.id), expected)
        }
        for member in stock.members {
          let expected = stock.loans.filter { $0.member == Ref(member) }.sorted { a, b in
            a.day == b.day ? a.id < b.id : a.day > b.day
          }.map(\.id)
          expectEqual(try reading.fetch(\.loans, of: member).map(\.id), expected)
        }
        for book in stock.books {
          let expected = stock.loans.filter { $0.book == Ref(book) }.map(\.id)
          expectEqual(try reading.fetch(\.loans, of: Ref(book)).map(\.id), expected)
        }
        expectTrue(try reading.fetch(\.loans, of: Ref<Book>(105)).isEmpty)
        expectTrue(try reading.fetch(\.loans, of: Book(id: 106)).isEmpty)
        expectTrue(try reading.fetch(\.books, of: Ref<Shelf>("none")).isEmpty)
      }
    }
    try storage.check(ToMany())
  }

  @Test(arguments: TestStorage.withServer)
  func `S5: a join whose other reference is nil joins nothing`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Owner.self, Passport.self, Stamp.self)
    let passport = Passport(id: 1, owner: Ref(1))
    try store.commit { draft in
      try draft.insert(contentsOf: [Owner(id: 1, name: "Ann"), Owner(id: 2, name: "Bob")])
      try draft.insert(passport)
      for (id, owner) in [Ref<Owner>(2), nil, Ref(1), Ref(2)].enumerated() {
        try draft.insert(Stamp(id: id, passport: Ref(1), owner: owner))
      }
    }
    #expect(try store.fetch(\.stamps, \.owner, of: passport).map(\.name) == ["Bob", "Ann", "Bob"])
    let names = try store.fetch(\.stamps, \.owner, of: Ref(passport)).map(\.name)
    #expect(names == ["Bob", "Ann", "Bob"])
  }

  @Test(arguments: [true, false])
  func `S5: those that a join entity joins are read together from a storage that is far away`(
    _ readsAhead: Bool
  ) throws {
    let storage = FarStorage(readsAhead: readsAhead)
    let store = try Store(.custom { storage }, entities: [Owner.self, Passport.self, Stamp.self])
    let count = 300
    let passport = Passport(id: 1, owner: Ref(1))
    try store.commit { draft in
      try draft.insert(contentsOf: (1...count).map { Owner(id: $0, name: "\($0)") })
      try draft.insert(passport)
      try draft.insert(
        contentsOf: (1...count).map { id in
          Stamp(id: id, passport: Ref(1), owner: id % 10 == 0 ? nil : Ref(id))
        })
      try draft.insert(Stamp(id: count + 1, passport: Ref(1), owner: Ref(1)))
    }
    var expected = (1...count).filter { $0 % 10 > 0 }.map { "\($0)" } + ["1"]
    var start = storage.trips.load()
    let names = try store.fetch(\.stamps, \.owner, of: passport).map(\.name)
    expectEqual(names, expected)
    expectEqual(storage.trips.load() - start, readsAhead ? 2 : 1 + expected.count)
    try store.commit { draft in
      try draft.update(Owner.self, 2) { $0.name = "new" }
      expected[1] = "new"
      start = storage.trips.load()
      expectEqual(try draft.fetch(\.stamps, \.owner, of: passport).map(\.name), expected)
      expectTrue(!readsAhead || storage.trips.load() - start == 2)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S5: those that a join entity joins, each as often as it is joined`(_ storage: TestStorage)
    throws
  {
    struct ManyToMany: ReadingCheck {
      func run(on reading: borrowing some StoreReading & ~Copyable, _ stock: Stock) throws {
        for member in stock.members {
          let expected = stock.loans.filter { $0.member == Ref(member) }.sorted { a, b in
            a.day == b.day ? a.id < b.id : a.day > b.day
          }.map(\.book.id)
          let books = try reading.fetch(\.loans, \.book, of: member)
          expectEqual(books.map(\.id), expected)
          expectEqual(try reading.fetch(\.loans, \.book, of: Ref(member)).map(\.id), expected)
          for book in books {
            expectEqual(EntityDump(book), EntityDump(stock.books.first { $0.id == book.id }))
          }
        }
        for book in stock.books {
          let expected = stock.loans.filter { $0.book == Ref(book) }.map(\.member.id)
          expectEqual(try reading.fetch(\.loans, \.member, of: book).map(\.id), expected)
        }
        expectTrue(try reading.fetch(\.loans, \.book, of: Member(id: 99)).isEmpty)
        expectTrue(try reading.fetch(\.loans, \.book, of: Ref<Member>(99)).isEmpty)
      }
    }
    try storage.check(ManyToMany())
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: what a late-bound join waits for is left out`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Owner.self, Folder.self, Hint.self)
    try store.commit { draft in
      try draft.insert(Folder(id: 1))
      try draft.insert(Owner(id: 1, name: "a"))
      try draft.insert(Owner(id: 3, name: "c"))
      for id in 1...4 { try draft.insert(Hint(id: id, about: Ref(id % 4), from: Ref(1))) }
    }
    // The order may lead through the reference, and what isn't there is nil.
    let folder = try #require(try store.find(Folder.self, 1))
    #expect(try store.fetch(\.hints, of: folder).map(\.id) == [3, 1, 2, 4])
    #expect(try store.fetch(\.hints, \.about, of: folder).map(\.id) == [3, 1])
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: nothing refers to an object named NaN`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Pitch.self)
    try store.commit { draft in
      try draft.insert(Pitch(id: 1))
      try draft.insert(Pitch(id: 2, base: Ref(1)))
    }
    #expect(try store.fetch(\.higher, of: Pitch(id: 1)).map(\.id) == [2])
    #expect(try store.fetch(\.higher, of: Pitch(id: .nan)).isEmpty)
    #expect(try store.fetch(\.higher, of: Ref<Pitch>(.nan)).isEmpty)
    #expect(try store.find(Ref<Pitch>(.nan)) == nil)
  }
}

/// Joins a folder to someone who may not be there yet.
private struct Hint: Entity {
  let id: Int
  var about: Ref<Owner>
  var from: Ref<Folder>
  static let attributes = Attributes(
    .id(\Hint.id), .one("about", \.about, lateBound: true), .one("from", \.from))
  static let schema = Schema(attributes, Hint.init)
}

extension Folder {
  fileprivate var hints: Many<Folder, Hint> { Many(\.from) { [$0.about.name.descending] } }
}

private struct Pitch: Entity {
  let id: Double
  var base: Ref<Pitch>?
  static let attributes = Attributes(.id(\Pitch.id), .one("base", \.base, inverse: \.higher))
  static let schema = Schema(attributes, Pitch.init)
}

extension Pitch {
  fileprivate var higher: Many<Pitch, Pitch> { Many(\.base) }
}

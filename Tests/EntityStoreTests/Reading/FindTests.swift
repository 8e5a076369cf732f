@_spi(Storage) @testable import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `Single objects are found by every reader` {
  @Test(arguments: TestStorage.withServer)
  func `S5: by id, by reference and by name`(_ storage: TestStorage) throws {
    struct ByID: ReadingCheck {
      func run(on reading: borrowing some StoreReading & ~Copyable, _ stock: Stock) throws {
        for book in stock.books {
          expectEqual(EntityDump(try reading.find(Book.self, book.id)), EntityDump(book))
          expectEqual(EntityDump(try reading.find(Ref(book))), EntityDump(book))
          let named = try reading.find(ObjectID(book)) as? Book
          expectEqual(EntityDump(named), EntityDump(book))
        }
        for shelf in stock.shelves {
          expectEqual(EntityDump(try reading.find(Shelf.self, shelf.id)), EntityDump(shelf))
          expectEqual(EntityDump(try reading.find(Ref(shelf))), EntityDump(shelf))
        }
        for id in [-1, 30, 100, 105] {
          expectTrue(try reading.find(Book.self, id) == nil)
          expectTrue(try reading.find(Ref<Book>(id)) == nil)
          expectTrue(try reading.find(ObjectID(Book.self, id)) == nil)
        }
        expectTrue(try reading.find(Shelf.self, "E\u{301}") == nil)
        do {
          _ = try reading.find(ObjectID(Owner.self, 1))
          recordIssue("A name of an unknown entity finds something.")
        } catch {
          expectEqual(error as? StoreError, .unknownEntity("Owner"))
        }
      }
    }
    try storage.check(ByID())
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: by the values of a unique key, its parts in any order, and never by nil`(
    _ storage: TestStorage
  ) throws {
    struct ByKey: ReadingCheck {
      func run(on reading: borrowing some StoreReading & ~Copyable, _ stock: Stock) throws {
        for book in stock.books {
          let byISBN = try reading.find(Book.self, by: (\.isbn, book.isbn))
          expectEqual(byISBN?.id, book.isbn == nil ? nil : book.id)
          let isWhole = book.series != nil && book.volume != nil
          let byKey = try reading.find(
            Book.self, by: (\.series, book.series), (\.volume, book.volume))
          expectEqual(byKey?.id, isWhole ? book.id : nil)
          let turned = try reading.find(
            Book.self, by: (\.volume, book.volume), (\.series, book.series))
          expectEqual(turned?.id, isWhole ? book.id : nil)
          let shifted = try reading.find(
            Book.self, by: (\.volume, book.volume), (\.series, "other"))
          expectTrue(shifted == nil)
        }
        for isbn in ["", "isbn", "isbn 0", "ISBN 1", "earlier 1", "earlier 3"] {
          expectTrue(try reading.find(Book.self, by: (\.isbn, isbn)) == nil)
        }
        expectTrue(try reading.find(Book.self, by: (\.series, "S"), (\.volume, 105)) == nil)
      }
    }
    try storage.check(ByKey())
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: NaN is the value of no key`(_ storage: TestStorage) throws {
    struct Tide: Entity {
      let id: Int
      var height: Double?
      static let attributes = Attributes(.id(\Tide.id), .attribute("height", \.height))
      static let schema = Schema(attributes, Tide.init, rules: [.unique(\.height)])
    }
    let store = try storage.makeStore(Tide.self)
    try store.commit { draft in
      try draft.insert(Tide(id: 1))
      try draft.insert(Tide(id: 2, height: 0))
    }
    #expect(try store.find(Tide.self, by: (\.height, .nan)) == nil)
    #expect(try store.find(Tide.self, by: (\.height, -0.0))?.id == 2)
    try store.expectRefusal(.notANumber(ObjectID(Tide.self, 3), attribute: "height")) {
      try $0.upsert(Tide(id: 3, height: .nan), by: \.height)
    }
  }
}

/// An object by what is stored of it.
struct EntityDump: Equatable, Sendable {
  let values: [StoredValue]?

  init<E: Entity>(_ object: E?) { values = object.map { EntityRow($0).values } }
}

import EntityStore
import Foundation
import SQLitePersistence
import TestSupport
import Testing

struct Shelf: Entity, Hashable {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Shelf.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Shelf.init, rules: [.unique(\.name)])
}

struct Book: Entity, Hashable {
  let id: Int
  var title: String
  var text: String
  var shelf: Ref<Shelf>
  var lentTo: Ref<Shelf>?
  static let attributes = Attributes(
    .id(\Book.id), .attribute("title", \.title), .attribute("text", \.text),
    .one("shelf", \.shelf, onDelete: .cascade), .one("lentTo", \.lentTo, onDelete: .nullify))
  static let schema = Schema(attributes, Book.init, rules: [.unique(\.title)])
}

/// A history of commits that a seed tells: what a file holds at a version can be known without it.
struct Library {
  static let entities: [any Entity.Type] = [Shelf.self, Book.self]

  let seed: Int
  /// How many books a commit adds at most.
  var most = 12

  /// Makes the commit that leads to a version: a new shelf with books, an old one that goes with its
  /// books, names that change hands, texts that change.
  func commit(_ version: Int, to store: Store, whenBegun: () throws -> Void = {}) throws {
    var generator = SeededGenerator(seed: seed &* 1_000_003 &+ version)
    try store.commit { draft in
      try whenBegun()
      let shelves = try draft.fetch(Query<Shelf>())
      if shelves.count > 3, let gone = shelves.randomElement(using: &generator) {
        try draft.delete(Shelf.self, gone.id)
      }
      let left = try draft.fetch(Query<Shelf>())
      try draft.insert(Shelf(id: version, name: "shelf \(version)"))
      if let first = left.first, let last = left.last, first != last {
        try draft.update(Shelf.self, first.id) { $0.name = last.name }
        try draft.update(Shelf.self, last.id) { $0.name = first.name }
      }
      for book in try draft.fetch(Query<Book>()).prefix(40) where generator.chance(0.3) {
        try draft.update(Book.self, book.id) {
          $0.text = Self.text(&generator)
          $0.lentTo = left.randomElement(using: &generator).map { Ref($0.id) }
        }
      }
      // Few as a rule, and many now and then.
      let count = Int.random(
        in: 1...(generator.chance(0.8) ? min(most, 12) : most), using: &generator)
      for number in 0..<count {
        try draft.insert(
          Book(
            id: version * 1000 + number, title: "book \(version).\(number)",
            text: Self.text(&generator), shelf: Ref(version),
            lentTo: left.randomElement(using: &generator).map { Ref($0.id) }))
      }
    }
  }

  private static func text(_ generator: inout SeededGenerator) -> String {
    let most = generator.chance(0.05) ? 9_000 : 60
    return String(
      repeating: "\(Int.random(in: 0..<10, using: &generator))",
      count: Int.random(in: 0..<most, using: &generator))
  }

  struct Contents: Equatable {
    var version: Int
    var shelves: [Shelf]
    var books: [Book]

    init(_ store: Store) throws {
      (version, shelves, books) = try store.read {
        (Int($0.version), try $0.fetch(Query<Shelf>()), try $0.fetch(Query<Book>()))
      }
    }
  }

  /// What a store has at a version.
  func contents(at version: Int) throws -> Contents {
    let store = try Store(.inMemory, entities: Self.entities)
    for version in 0..<version { try commit(version + 1, to: store) }
    return try Contents(store)
  }

  /// Opens what is left of a file, checks that it is whole at some version, and gives that.
  func check(_ path: String, _ comment: Comment) throws -> Int {
    let store = try Store(.sqlite(path: path), entities: Self.entities)
    let found = try Contents(store)
    let expected = try contents(at: found.version)
    #expect(found.shelves == expected.shelves, comment)
    #expect(found.books == expected.books, comment)
    let file = try RawDatabase(path)
    #expect(try file.rows("PRAGMA integrity_check") == [["ok"]], comment)
    #expect(try file.rows("PRAGMA foreign_key_check").isEmpty, comment)
    return found.version
  }
}

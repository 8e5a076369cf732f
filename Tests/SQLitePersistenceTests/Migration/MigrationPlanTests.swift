@_spi(Storage) import SQLMapping
@_spi(Storage) import EntityStore
import TestSupport
import Testing

@testable import SQLitePersistence

private struct Goal: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Goal.id))
  static let schema = Schema(attributes, Goal.init)
}

private struct Plain: Entity {
  let id: Int
  var code: String
  var note: String?
  static let attributes = Attributes(
    .id(\Plain.id), .attribute("code", \.code), .attribute("note", \.note))
  static let schema = Schema(attributes, Plain.init, rules: [.unique(\.code)])
  static let entityName = "T"
}

private struct Indexed: Entity {
  let id: Int
  var note: String?
  var code: String
  static let attributes = Attributes(
    .id(\Indexed.id), .attribute("note", \.note), .attribute("code", \.code))
  static let schema = Schema(
    attributes, Indexed.init,
    rules: [.unique(\.code), .unique(\.id), .index(\.note), .index(\.note)])
  static let entityName = "T"
}

private struct More: Entity {
  let id: Int
  var code: String
  var note: String?
  var text: String
  var size: Double?
  var goal: Ref<Goal>?
  var wish: Ref<Goal>?
  static let attributes = Attributes(
    .id(\More.id), .attribute("code", \.code), .attribute("note", \.note),
    .attribute("te\"xt", \.text, default: "it'\u{301}s"),
    .attribute("size", \.size, default: -.infinity),
    .one("goal", \.goal), .one("wish", \.wish, lateBound: true))
  static let schema = Schema(attributes, More.init, rules: [.unique(\.code)])
  static let entityName = "T"
}

private struct Zero: Entity {
  let id: Int
  var code: String
  var note: String?
  var text: String
  static let attributes = Attributes(
    .id(\Zero.id), .attribute("code", \.code), .attribute("note", \.note),
    .attribute("text", \.text, default: "a\0b"))
  static let schema = Schema(attributes, Zero.init, rules: [.unique(\.code)])
  static let entityName = "T"
}

private struct Keyed: Entity {
  let id: Int
  var code: String
  var note: String?
  static let attributes = Attributes(
    .id(\Keyed.id), .attribute("code", \.code), .attribute("note", \.note))
  static let schema = Schema(
    attributes, Keyed.init, rules: [.unique(\.code), .unique(\.code, \.note)])
  static let entityName = "T"
}

@Suite struct `The migration plan of a table` {
  private func change<Old: Entity, New: Entity>(_ old: Old.Type, _ new: New.Type) -> TableChange {
    TableChange(New.schema.entity, from: TableShape(Old.schema.entity))
  }

  @Test func `P4: is nothing where it fits, whatever the order of the attributes`() {
    let same = change(Plain.self, Plain.self)
    #expect(same.form == .none && same.newIndexes.isEmpty && same.obsoleteIndexes.isEmpty)
    let indexed = change(Plain.self, Indexed.self)
    #expect(indexed.form == .none)
    #expect(
      indexed.newIndexes == [
        "CREATE INDEX \"signalbox_index on \"\"T\"\" \"\"note\"\"\" ON \"T\" (\"note\")"
      ])
    let back = change(Indexed.self, Plain.self)
    #expect(back.form == .none && back.newIndexes.isEmpty)
    #expect(back.obsoleteIndexes == ["signalbox_index on \"T\" \"note\""])
    // Another program may have it.
    #expect(back.strangeIndexes.isEmpty)
  }

  @Test func `P4: is adding columns where SQL has a statement for each`() {
    let more = change(Plain.self, More.self)
    #expect(
      more.form
        == .extend([
          "ALTER TABLE \"T\" ADD COLUMN \"te\"\"xt\" TEXT NOT NULL DEFAULT 'it''\u{301}s'",
          "ALTER TABLE \"T\" ADD COLUMN \"size\" REAL DEFAULT -9e999",
          "ALTER TABLE \"T\" ADD COLUMN \"goal\" INTEGER REFERENCES \"Goal\" (\"id\") "
            + "DEFERRABLE INITIALLY DEFERRED",
          "ALTER TABLE \"T\" ADD COLUMN \"wish\" INTEGER",
        ]))
    #expect(!more.newReferences.isEmpty && more.newIndexes.count == 2)
    #expect(change(Plain.self, Zero.self).form == .rebuild)
  }

  @Test func `P4: is making it again where a rule changes or a column is removed`() {
    let keyed = change(Plain.self, Keyed.self)
    #expect(keyed.form == .rebuild && keyed.newKeys == [[1, 2]])
    let back = change(Keyed.self, Plain.self)
    #expect(back.form == .rebuild && back.newKeys.isEmpty)
    let less = change(More.self, Plain.self)
    #expect(less.form == .rebuild)
    #expect(less.unknown == ["te\"xt", "size", "goal", "wish"])
  }

  @Test func `P4: begins with names: what is there stays, chains move on, exchanges end`() {
    func plan(
      _ wanted: [(String, [String])], _ present: [String], settled: [(String, String)] = []
    ) -> [String] {
      Renames.plan(
        wanted.map { .init(name: $0.0, formerNames: $0.1) }, present: present,
        settled: Set(settled.map { Renames.Claim($0.0, from: $0.1) }), resolve: { $1.first }
      ).map { "\($0.from)>\($0.to)" }
    }
    #expect(plan([("b", ["a"])], ["a", "b"]).isEmpty)
    #expect(plan([("b", ["a"])], ["x"]).isEmpty)
    #expect(plan([("c", ["b", "a"])], ["A"]) == ["A>c"])
    #expect(plan([("c", ["b", "a"])], ["a", "b"]) == ["b>c"])
    #expect(plan([("b", ["a"]), ("c", ["b"])], ["a", "b"]) == ["b>c", "a>b"])
    let exchange = [("a", ["b"]), ("b", ["a"])]
    #expect(
      plan(exchange, ["a", "b"]) == ["a>signalbox_renamed", "b>a", "signalbox_renamed>b"])
    #expect(plan(exchange, ["a", "b"], settled: [("A", "b"), ("b", "a")]).isEmpty)
    #expect(plan(exchange, ["a", "b"], settled: [("b", "a")]).count == 3)
    #expect(plan(exchange, ["a"]) == ["a>b"])
    #expect(
      plan([("a", ["b"]), ("b", ["c"]), ("c", ["a"]), ("d", ["x", "a"])], ["c", "b", "a", "d"])
        == ["a>signalbox_renamed", "b>a", "c>b", "signalbox_renamed>c"])
    // A new one has the name that another one had.
    #expect(plan([("a", []), ("b", ["a"])], ["a"]) == ["a>b"])
    #expect(plan([("a", []), ("b", ["a"])], ["a", "b"]).isEmpty)
    #expect(plan([("a", []), ("c", ["b", "a"])], ["a", "b"]) == ["b>c"])
    #expect(plan([("a", []), ("b", ["a"]), ("c", ["b"])], ["a", "b"]) == ["b>c", "a>b"])
    // That nobody has today goes first, whatever the order.
    #expect(plan([("a", []), ("c", ["a", "b"])], ["a", "b"]) == ["b>c"])
    #expect(plan([("b", ["a"])], ["B"]).isEmpty)
    // These differ by bytes, and for SQLite.
    #expect(plan([("é", ["x"])], ["e\u{301}", "x"]) == ["x>é"])
    #expect(plan([("KÄ", ["x"])], ["kä", "x"]) == ["x>KÄ"])
  }
}

import EntityStore
import Fixtures
import Locking
@_spi(Storage) @testable import SQLitePersistence
import TestSupport
import Testing

struct PersonAfter: Entity {
  let id: Int
  var first: String
  var family: String
  var rank: Int
  static let attributes = Attributes(
    .id(\PersonAfter.id), .attribute("first", \.first),
    .attribute("family", \.family, renamedFrom: "last"),
    .attribute("rank", \.rank, default: 1))
  static let schema = Schema(attributes, PersonAfter.init, rules: [.index(\.family)])
  static var entityName: String { "Person" }
}

func fillPeople(_ path: String, _ count: Int = 3) throws {
  let store = try Store(
    .sqlite(path: path, durability: .normal, watching: .none), entities: [PersonBefore.self])
  try store.commit { draft in
    for id in 1...count { try draft.insert(PersonBefore(id: id, name: "Ann\(id) of Green")) }
  }
}

@Suite struct `A named migration` {
  private let path = temporaryPath()

  private func open(_ migrations: [Migration], _ entities: [any Entity.Type] = [PersonAfter.self])
    throws -> Store
  {
    try Store(.sqlite(path: path, durability: .normal, migrations: migrations), entities: entities)
  }

  private func names() throws -> [String?] {
    try RawDatabase(path).rows("SELECT name FROM signalbox_migrations ORDER BY number")
      .map { $0[0] }
  }

  @Test func `P4: that reads a misspelt attribute is refused, and the file is as it was`() throws {
    try fillPeople(path)
    func reading(_ name: String) -> Migration {
      Migration("read \(name)") { context in
        try context.rewrite("Person") { old in
          var new = old
          new["first"] = .text(try old.value(name, as: String.self) ?? "")
          new.set("last", to: "x")
          new.remove("name")
          return new
        }
      }
    }
    let error = try fault(.schemaMismatch, naming: [path, "\"nane\"", "of Person"]) {
      _ = try open([reading("nane")])
    }
    #expect(error.message.contains("correct the name"))
    #expect(try names() == [])
    #expect(try RawDatabase(path).value("SELECT name FROM Person WHERE id = 1") == "Ann1 of Green")
    // Names that a later form has, or an earlier one had, needn't be there.
    for name in ["rank", "LAST", "family", "name"] {
      let path = temporaryPath()
      try fillPeople(path)
      let store = try Store(
        .sqlite(path: path, migrations: [reading(name)]), entities: [PersonAfter.self])
      #expect(try store.count(Query<PersonAfter>()) == 3)
    }
    // Nor does one that the body has given a row itself.
    let giving = Migration("give") { context in
      try context.rewrite("Person") { old in
        var new = old
        new.set("first", to: "x")
        new.set("last", to: try new.value("first", as: String.self) ?? "")
        new.remove("name")
        return new
      }
    }
    #expect(try open([giving]).find(PersonAfter.self, 1)?.family == "x")
  }

  @Test func `P4: that sets a misspelt attribute is refused, and the error names it`() throws {
    try fillPeople(path)
    let misspelling = Migration("rank all") { context in
      try context.rewrite("Person") { old in
        var new = old
        new.set("rnak", to: 7)
        return new
      }
    }
    let error = try fault(.schemaMismatch, naming: ["\"rnak\"", "migration that has just run"]) {
      _ = try open([misspelling, splitting])
    }
    #expect(!error.message.contains("update the app"))
    #expect(try RawDatabase(path).value("SELECT name FROM Person WHERE id = 1") == "Ann1 of Green")
  }

  @Test func `P4: rewrites rows, and years later too: names and defaults of today come after it`()
    throws
  {
    try fillPeople(path)
    let store = try open([splitting])
    let all = try store.fetch(Query<PersonAfter>())
    #expect(all.map(\.first) == ["Ann1", "Ann2", "Ann3"])
    #expect(all.map(\.family) == ["of Green", "of Green", "of Green"])
    #expect(all.map(\.rank) == [1, 1, 1])
    #expect(try store.version == 2)
    #expect(try names() == ["split the name"])
    #expect(!hasCopy(path))
    let new = temporaryPath()
    _ = try Store(.sqlite(path: new), entities: [PersonAfter.self])
    let sql = "SELECT type, name, sql FROM sqlite_master WHERE tbl_name = 'Person' ORDER BY 1, 2"
    #expect(try RawDatabase(path).rows(sql) == RawDatabase(new).rows(sql))
  }

  @Test func `P4: may write more than the file had bytes`() throws {
    try fillPeople(path)
    let long = String(repeating: "x", count: 100_000)
    let lengthening = Migration("lengthen") { context in
      try context.rewrite("Person") { old in
        var new = old
        new.set("first", to: long)
        new.set("last", to: "")
        new.remove("name")
        return new
      }
    }
    #expect(try open([lengthening]).find(PersonAfter.self, 3)?.first == long)
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P4: runs once, in the order of the list, and not on a new file`() throws {
    let log = Locked<[String]>([])
    func migration(_ name: String) -> Migration {
      Migration(name) { _ in log.withLock { $0.append(name) } }
    }
    try fillPeople(path)
    let (b, a, c) = (migration("b"), migration("a"), migration("c"))
    _ = try open([b, a], [PersonBefore.self])
    #expect(log.withLock { $0 } == ["b", "a"])
    _ = try open([b, a], [PersonBefore.self])
    // One that another branch has brought runs where the list has it.
    _ = try open([c, b, a], [PersonBefore.self])
    #expect(log.withLock { $0 } == ["b", "a", "c"])
    #expect(try names() == ["b", "a", "c"])
    let new = temporaryPath()
    _ = try Store(.sqlite(path: new, migrations: [b, a]), entities: [PersonBefore.self])
    _ = try Store(.sqlite(path: new, migrations: [b, a]), entities: [PersonBefore.self])
    #expect(log.withLock { $0 }.count == 3)
    #expect(
      try RawDatabase(new).rows("SELECT name FROM signalbox_migrations ORDER BY number")
        == [["b"], ["a"]])
  }

  @Test func `P4: sees every row, those with the least and the greatest number included`() throws {
    let ids = [Int.min, -1, 0, .max]
    try Store(.sqlite(path: path), entities: [PersonBefore.self]).commit { draft in
      for id in ids { try draft.insert(PersonBefore(id: id, name: "\(id)")) }
    }
    struct Keyed: Entity {
      let id: Int
      var name: String
      static let attributes = Attributes(.id(\Keyed.id), .attribute("name", \.name))
      static let schema = Schema(attributes, Keyed.init, rules: [.unique(\.name)])
      static var entityName: String { "Person" }
    }
    #expect(try open([], [Keyed.self]).fetch(Query<Keyed>()).map(\.id) == ids)
    let seen = Locked<[StoredValue]>([])
    let store = try open(
      [
        Migration("all") { context in
          try context.rewrite("Person") { row in
            seen.withLock { $0.append(row["id"]) }
            return row
          }
        }
      ], [Keyed.self])
    #expect(seen.withLock { $0 } == ids.map { .integer(Int64($0)) })
    #expect(try store.fetch(Query<Keyed>()).map(\.id) == ids)
  }

  @Test func `P4: that throws leaves the file as it was, those before it included`() throws {
    struct Stop: Error {}
    try fillPeople(path)
    let before = try fileContents(path)
    let failing = Migration("fails") { context in
      try context.renameEntity("Person", to: "x")
      try context.insert(["id": .integer(9)], into: "more")
      throw Stop()
    }
    #expect(throws: Stop.self) { try open([splitting, failing]) }
    #expect(try fileContents(path) == before)
    #expect(!hasCopy(path))
    #expect(try open([splitting]).count(Query<PersonAfter>()) == 3)
  }

  @Test func `P4: whose rows don't fit the schema is refused, with the object named`() throws {
    try fillPeople(path)
    func rewrite(_ change: @escaping @Sendable (inout Migration.Row) -> Void) -> [Migration] {
      [
        Migration("wrong") {
          try $0.rewrite("Person") { old in
            var new = old
            change(&new)
            return new
          }
        }
      ]
    }
    try refusal(
      path, [PersonBefore.self], migrations: rewrite { $0["name"] = $0["id"] },
      naming: ["\"name\" that aren't of type TEXT, in Person(1), Person(2) and Person(3)"])
    try refusal(
      path, [PersonBefore.self], migrations: rewrite { $0["name"] = .null },
      naming: ["no value of \"name\" in Person(1)"])
    try refusal(
      path, [PersonBefore.self],
      migrations: rewrite { if $0["id"] == .integer(2) { $0["id"] = .integer(3) } },
      naming: ["the same \"id\" in Person(3) and Person(3)"])
    try refusal(
      path, [PersonBefore.self], migrations: rewrite { $0["x"] = .integer(1) },
      naming: ["a column \"x\""])
    try refusal(
      path, [PersonBefore.self], migrations: rewrite { $0["id"] = .real(.nan) }, naming: ["NaN"])
    try refusal(
      path, [PersonBefore.self], migrations: rewrite { $0["id"] = .list([.null]) },
      naming: ["several parts"])
    struct Other: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Other.id))
      static let schema = Schema(attributes, Other.init)
    }
    try refusal(
      path, [Other.self], migrations: rewrite { $0["name"] = .text("") },
      naming: ["rewritten Person, which the store is opened without"])
    try refusal(
      path, [PersonBefore.self],
      migrations: [Migration("more") { try $0.insert(["id": .integer(1)], into: "Diary") }],
      naming: ["Diary, which the store is opened without"])
  }

  @Test func `P4: reads, inserts, deletes, renames and drops, all without SQL`() throws {
    try Store(.sqlite(path: path), entities: [Person.self, Car.self]).fill()
    let store = try open(
      [
        Migration("all of it") { context in
          #expect(try context.entities == ["Car", "Person"])
          #expect(try context.attributes(of: "person") == ["id", "name", "height", "photo"])
          #expect(try context.attributes(of: "nobody").isEmpty)
          #expect(try context.rows(of: "nobody").isEmpty)
          #expect(
            try context.rows(of: "Person").map { $0["NAME"] } == [.text("Ann"), .text("a\0b")])
          try context.insert(["id": .text("new"), "name": .text("New")], into: "Person")
          try context.rename("name", to: "title", in: "Person")
          try context.rename("name", to: "title", in: "Person")
          try context.insert(
            ["id": .text("x"), "title": .text("X"), "age": .integer(3)], into: "Person")
          try context.delete(from: "Person") { $0["id"] == .text("ann") }
          try context.rename("title", to: "name", in: "Person")
          try context.dropEntity("Car")
          try context.dropEntity("Car")
          try context.renameEntity("nobody", to: "somebody")
          try context.rewrite("Person") { row in
            var row = row
            row.remove("age")
            return row
          }
        }
      ], [Person.self])
    #expect(try store.fetch(Query<Person>()).map(\.id) == ["e\u{301}", "new", "x"])
    #expect(try store.find(Person.self, "e\u{301}")?.photo == [0, 255])
    let file = try RawDatabase(path)
    #expect(try file.value("SELECT count(*) FROM sqlite_master WHERE name = 'Car'") == "0")
    #expect(try file.value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P4: that takes an object which another refers to is refused`() throws {
    let store = try openGarage(path)
    try store.commit { draft in
      try draft.insert(Person(id: "ann", name: "Ann"))
      for id in 1...5 { try draft.insert(Car(id: id, model: "\(id)", driver: Ref("ann"))) }
    }
    try refusal(
      path, [Person.self, Car.self],
      migrations: [Migration("nobody") { try $0.delete(from: "Person") { _ in true } }],
      naming: ["Car(1), Car(2), Car(3) and others refer by driver to a Person that isn't there"])
  }

  @Test func `P4: reports how far it is, from nothing to all`() throws {
    try fillPeople(path, 5_000)
    let reports = Locked<[Migration.Progress]>([])
    _ = try Store(
      .sqlite(path: path, durability: .normal, migrations: [splitting]) { report in
        reports.withLock { $0.append(report) }
      }, entities: [PersonAfter.self])
    let all = reports.withLock { $0 }
    let rewriting = all.filter { $0.step == "rewrite" }
    #expect(rewriting.map(\.completed) == [0, 2_000, 4_000, 5_000])
    #expect(rewriting.allSatisfy { $0.total == 5_000 && $0.migration == "split the name" })
    #expect(all.filter { $0.step == "copy" }.map(\.completed) == [0, 5_000])
    #expect(all.map(\.step).contains("rename last to family"))
    #expect(all.last?.migration == nil)
    #expect(all.allSatisfy { $0.entity == "Person" })
    // A file that fits has nothing to report.
    _ = try Store(
      .sqlite(path: path, migrations: [splitting]) { _ in Issue.record("There is a step") },
      entities: [PersonAfter.self])
  }

  @Test(.oneThread)
  func `P4: is cancelled at any step by its progress, and leaves the file as it was`() throws {
    struct Cancel: Error {}
    try fillPeople(path, 2_500)
    var steps = 0
    while steps < 20 {
      let left = Locked(steps)
      let before = try fileContents(path)
      do {
        _ = try Store(
          .sqlite(
            path: path, durability: .normal,
            migrations: [
              Migration("split the name") { context in
                // One that goes on regardless is stopped all the same.
                try? splitting.body(context)
              }
            ]
          ) { _ in
            #expect(hasCopy(path))
            let isLast = left.withLock { left in
              left -= 1
              return left < 0
            }
            if isLast { throw Cancel() }
          }, entities: [PersonAfter.self])
        break
      } catch StoreError.storage(let fault) {
        #expect(fault.kind == .cancelled, "\(fault)")
        #expect(fault.message.contains("nothing has changed"))
        #expect(try fileContents(path) == before)
        #expect(!hasCopy(path))
      }
      steps += 1
    }
    #expect(steps > 5 && steps < 20)
    #expect(try RawDatabase(path).value("SELECT count(*) FROM Person WHERE family > ''") == "2500")
  }

  @Test func `S6: two of one name, an empty name and a change while rewriting trap`() async throws {
    let twice = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try SQLiteStorage(
        path: temporaryPath(), migrations: [Migration("a") { _ in }, Migration("a") { _ in }])
    }
    twice.expectMessage("Two migrations are named \"a\"", inRelease: true)
    let nameless = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Migration("") { _ in } }
    nameless.expectMessage("A migration has an empty name", inRelease: true)
    let changing = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let path = temporaryPath()
      try fillPeople(path)
      let migration = Migration("a") { context in
        try context.rewrite("Person") { row in
          try context.insert(row, into: "PERSON")
          return row
        }
      }
      _ = try Store(.sqlite(path: path, migrations: [migration]), entities: [PersonBefore.self])
    }
    changing.expectMessage("PERSON is changed while it is rewritten", inRelease: true)
    let keeping = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let path = temporaryPath()
      try fillPeople(path)
      let kept = Kept()
      let migration = Migration("a") { kept.context = $0 }
      _ = try Store(.sqlite(path: path, migrations: [migration]), entities: [PersonBefore.self])
      _ = try kept.context?.entities
    }
    let words = "is used after the body it was given to"
    keeping.expectMessage(words, inRelease: true)
  }
}

/// Keeps what mustn't be kept.
private final class Kept: @unchecked Sendable {
  var context: Migration.Context?
}

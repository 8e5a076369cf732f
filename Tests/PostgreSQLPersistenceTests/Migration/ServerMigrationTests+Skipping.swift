#if PostgreSQL
@_spi(Storage) import EntityStore
import Fixtures
@_spi(Storage) import PostgreSQLPersistence
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

/// The person of a later release, in which it and its attribute have other names.
private struct Citizen: Entity {
  let id: Int
  var called: String
  static let attributes = Attributes(
    .id(\Citizen.id), .attribute("called", \.called, renamedFrom: "name"))
  static let schema = Schema(attributes, Citizen.init, rules: [.renamedFrom("Person")])
}

private struct CitizensPet: Entity {
  let id: Int
  var owner: Ref<Citizen>?
  static let attributes = Attributes(.id(\CitizensPet.id), .one("owner", \.owner))
  static let schema = Schema(attributes, CitizensPet.init)
  static var entityName: String { "Pet" }
}

/// The person of a release whose migration reads an attribute of the one before.
private struct ListedPerson: Entity {
  let id: Int
  var name: String
  var list: Int
  static let attributes = Attributes(
    .id(\ListedPerson.id), .attribute("name", \.name), .attribute("list", \.list))
  static let schema = Schema(attributes, ListedPerson.init)
  static var entityName: String { "Person" }
}

private struct ListedPet: Entity {
  let id: Int
  var owner: Ref<ListedPerson>?
  static let attributes = Attributes(.id(\ListedPet.id), .one("owner", \.owner))
  static let schema = Schema(attributes, ListedPet.init)
  static var entityName: String { "Pet" }
}

/// Puts a word before an attribute where that has a value.
private func greet(
  _ entity: String, _ attribute: String, named name: String = "greet"
) -> Migration {
  Migration(name) { context in
    try context.rewrite(entity) { old in
      var new = old
      if let text = try old.value(attribute, as: String.self) {
        new.set(attribute, to: "Hi " + text)
      }
      return new
    }
  }
}

// Names of releases that a user has skipped, and errors that a migration ignores.
extension ServerMigrationTests {
  @Test func `P4: a migration that uses a newer name than the tables is refused with the cure`()
    throws
  {
    _ = try fill()
    let later: [any Entity.Type] = [Citizen.self, CitizensPet.self]
    let cures = [
      ("Citizen", "name", "renameEntity(\"Person\", to: \"Citizen\")"),
      ("Person", "called", "rename(\"name\", to: \"called\", in: \"Person\")"),
    ]
    for (entity, attribute, cure) in cures {
      let refused = fault { _ = try open(later, [greet(entity, attribute)]) }
      #expect(refused?.kind == .schemaMismatch)
      #expect(refused?.message.contains(cure) ?? false, "\(refused as Any)")
    }
    #expect(try open([PersonBefore.self, Pet.self]).count(Query<PersonBefore>()) == 3)
    let renaming = Migration("citizens") { context in
      try context.renameEntity("Person", to: "Citizen")
      try context.rename("name", to: "called", in: "Citizen")
    }
    let store = try open(later, [renaming, greet("Citizen", "called")])
    #expect(try store.find(Citizen.self, 1)?.called == "Hi Ann1 of Green")
  }

  @Test func `P4: a migration that reads both names, and then renames the table, runs`() throws {
    _ = try fill()
    let both = Migration("both") { context in
      try context.rewrite("Person") { old in
        var new = old
        new["called"] = old["called"].isNull ? old["name"] : old["called"]
        new.remove("name")
        return new
      }
      try context.renameEntity("Person", to: "Citizen")
    }
    let store = try open([Citizen.self, CitizensPet.self], [both])
    #expect(try store.find(Citizen.self, 1)?.called == "Ann1 of Green")
  }

  @Test func `P4: a list with a migration for each name, and one for no table, runs`() throws {
    _ = try fill()
    let emptying = Migration("no notes") { try $0.delete(from: "Note") { _ in true } }
    let list = [
      greet("Citizen", "name", named: "newer entity"), greet("Person", "called", named: "newer"),
      greet("Person", "name", named: "older"), emptying,
    ]
    let store = try open([Citizen.self, CitizensPet.self], list)
    #expect(try store.find(Citizen.self, 1)?.called == "Hi Ann1 of Green")
  }

  @Test func `P4: another program's table isn't one of an entity by its former name`() throws {
    _ = try open([Pet.self, PersonBefore.self])
    _ = try open([Citizen.self, CitizensPet.self])
    #expect(psql(#"DROP TABLE "Citizen" CASCADE"#))
    #expect(psql(#"CREATE TABLE "Person" (id bigint PRIMARY KEY, name text)"#))
    let emptying = Migration("empty") { try $0.delete(from: "Citizen") { _ in true } }
    let refused = fault { _ = try open([Citizen.self, CitizensPet.self], [emptying]) }
    #expect(!(refused?.message.contains("called Person there") ?? false), "\(refused as Any)")
  }

  @Test func `P4: a migration that reads and removes an attribute of a skipped release runs`()
    throws
  {
    _ = try fill()
    let lists = Migration("lists") { context in
      try context.rewrite("Person") { old in
        var new = old
        new.set("list", to: old["listName"].isNull ? 1 : 2)
        new.remove("listName")
        return new
      }
    }
    let store = try open([ListedPerson.self, ListedPet.self], [lists])
    #expect(try store.find(ListedPerson.self, 3)?.list == 1)
  }

  @Test func `P4: a backup has the names of the server's migrations, or exactly those of a list`()
    throws
  {
    _ = try fill()
    let store = try open([PersonBefore.self, Pet.self], [Migration("ran") { _ in }])
    let lists: [(name: String, list: [Migration]?)] = [
      ("ran", nil), ("of the file", [Migration("of the file") { _ in }]),
    ]
    for (name, list) in lists {
      let path = temporaryPath()
      try store.backUp(to: path, migrations: list)
      let again = Migration(name) { _ in Issue.record("\(name) runs again") }
      let copy = try Store(
        .sqlite(path: path, watching: .none, migrations: [again]),
        entities: [PersonBefore.self, Pet.self])
      #expect(try copy.count(Query<PersonBefore>()) == 3)
    }
  }

  @Test func `P4: a migration that ignores why a table can't be changed throws that`() throws {
    _ = try fill()
    let tool = try Tool(place.connectionString, schema: place.schema)
    tool.run("BEGIN")
    tool.run(#"LOCK TABLE "Pet" IN ACCESS SHARE MODE"#)
    let dropping = Migration("drop") { context in try? context.dropEntity("Pet") }
    let refused = fault {
      _ = try Store(
        .postgreSQL(
          place.connectionString, schema: place.schema, durability: .normal,
          waiting: .seconds(2), migrations: [dropping]), entities: [PersonBefore.self])
    }
    #expect(refused?.kind == .busy, "\(refused as Any)")
    tool.run("ROLLBACK")
    #expect(try open([PersonBefore.self, Pet.self]).count(Query<Pet>()) == 1)
  }

  @Test func `P4: a column whose name the server can't have is refused each time`() throws {
    _ = try fill()
    let refusals = Counter()
    let long = String(repeating: "x", count: 70)
    let inserting = Migration("insert") { context in
      for id in 8...9 {
        var row: Migration.Row = ["name": .text("x")]
        row.set("id", to: id)
        row.set(long, to: "x")
        do { try context.insert(row, into: "Person") } catch StoreError.storage(let fault) {
          if fault.message.contains("63 bytes") { refusals.add() }
        }
      }
    }
    let store = try open([PersonBefore.self, Pet.self], [inserting])
    #expect(refusals.value == 2)
    #expect(try store.count(Query<PersonBefore>()) == 3)
  }

  @Test func `P4: an object to which an entity of a newer program refers isn't deleted`() throws {
    let older = try open([PersonBefore.self])
    try older.commit { try $0.insert(PersonBefore(id: 1, name: "Ann")) }
    let newer = try open([PersonBefore.self, Pet.self])
    try newer.commit { try $0.insert(Pet(id: 1, owner: Ref(1))) }
    try older.refresh()
    let refused = fault { try older.commit { try $0.delete(PersonBefore.self, 1) } }
    #expect(refused?.kind == .schemaMismatch, "\(refused as Any)")
    #expect(refused?.message.contains("open the store with the entity of") ?? false)
    #expect(refused?.detail?.contains("Pet") ?? false)
    #expect(try older.count(Query<PersonBefore>()) == 1)
  }
}
#endif

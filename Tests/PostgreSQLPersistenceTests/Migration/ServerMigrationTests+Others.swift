#if PostgreSQL
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import Locking
@_spi(Storage) import PostgreSQLPersistence
import Relays
import TestSupport
import Testing

// What others have, and do, beside a migration.
extension ServerMigrationTests {
  private struct Word: Entity {
    let id: Int
    var userId: String
    static let attributes = Attributes(.id(\Word.id), .attribute("userId", \.userId))
    static let schema = Schema(attributes, Word.init)
    static var entityName: String { "word" }
  }

  private struct WordInCapitals: Entity {
    let id: Int
    var userID: String
    static let attributes = Attributes(.id(\WordInCapitals.id), .attribute("userID", \.userID))
    static let schema = Schema(attributes, WordInCapitals.init, rules: [.unique(\.userID)])
    static var entityName: String { "Word" }
  }

  @Test func `P4: names that differ only in case are new names`() throws {
    let store = try open([Word.self])
    try store.commit { try $0.insert(Word(id: 1, userId: "a")) }
    // Another program's table of that name in another case is left alone.
    #expect(psql(#"CREATE TABLE "WORD" (id bigint PRIMARY KEY); INSERT INTO "WORD" VALUES (5)"#))
    let after = try open([WordInCapitals.self])
    try after.commit { try $0.insert(WordInCapitals(id: 2, userID: "b")) }
    #expect(try after.fetch(Query<WordInCapitals>()).map(\.userID) == ["a", "b"])
    #expect(fault { try store.commit { try $0.delete(Word.self, 1) } }?.kind == .newer)
    #expect(psql(#"INSERT INTO "WORD" VALUES (6)"#))
    #expect(try open([WordInCapitals.self]).count(Query<WordInCapitals>()) == 2)
  }

  @Test func `P4: a column of another program stays, and isn't rewritten`() throws {
    _ = try fill()
    #expect(
      psql(
        #"ALTER TABLE "Person" ADD COLUMN born timestamptz; UPDATE "Person" SET born = '2000-01-01'"#
      ))
    let refused = fault { _ = try open([PersonAfter.self, PetAfter.self], [splitting]) }
    #expect(refused?.kind == .schemaMismatch && refused?.message.contains("\"born\"") ?? false)
    let renaming = Migration("rename") { try $0.rename("name", to: "called", in: "Person") }
    let back = Migration("rename back") { try $0.rename("called", to: "name", in: "Person") }
    let store = try open([PersonBefore.self, Pet.self], [renaming, back])
    #expect(try store.count(Query<PersonBefore>()) == 3)
    #expect(!psql(#"SELECT 1 / (SELECT count(*) FROM "Person" WHERE born IS NULL)"#))
  }

  @Test func `P4: a table that was dropped and made again has no columns of another program`()
    throws
  {
    _ = try fill()
    #expect(psql(#"ALTER TABLE "Pet" ADD COLUMN note text"#))
    let renewing = Migration("renew") { context in
      try context.dropEntity("Pet")
      try context.insert(
        ["id": .integer(5), "owner": .integer(1), "note": .text("x")], into: "Pet")
      try context.rewrite("Pet") { old in
        var new = old
        new.remove("note")
        return new
      }
    }
    let store = try open([PersonBefore.self, Pet.self], [renewing])
    #expect(try store.find(Pet.self, 5)?.owner?.id == 1)
    #expect(!psql(#"SELECT note FROM "Pet""#))
  }

  @Test func `P4: a migration writes to others while it rewrites an entity that is referred to`()
    throws
  {
    _ = try fill()
    let moving = Migration("move") { context in
      try context.rewrite("Person") { old in
        try context.insert(["id": old["id"], "name": old["name"]], into: "Label")
        try context.delete(from: "Pet") { $0["owner"] == .integer(1) }
        return old
      }
    }
    let store = try open([PersonBefore.self, Pet.self, Label.self], [moving])
    #expect(try store.count(Query<Label>()) == 3)
    #expect(try store.find(Pet.self, 1)?.owner?.id == 2)
    #expect(!psql(#"UPDATE "Pet" SET owner = 99"#))
  }

  private struct Label: Entity {
    let id: Int
    var name: String
    static let attributes = Attributes(.id(\Label.id), .attribute("name", \.name))
    static let schema = Schema(attributes, Label.init)
  }

  private struct Human: Entity {
    let id: Int
    var called: String
    static let attributes = Attributes(
      .id(\Human.id), .attribute("called", \.called, renamedFrom: "name"))
    static let schema = Schema(attributes, Human.init, rules: [.renamedFrom("Person")])
  }

  private struct HumansPet: Entity {
    let id: Int
    var owner: Ref<Human>?
    static let attributes = Attributes(.id(\HumansPet.id), .one("owner", \.owner))
    static let schema = Schema(attributes, HumansPet.init)
    static var entityName: String { "Pet" }
  }

  @Test func `P4: what refers to a table follows its new name, even in another schema`() throws {
    _ = try fill()
    let there = "\"of others \(place.schema)\""
    #expect(
      psql(
        #"""
        CREATE TABLE theirs (person bigint REFERENCES "Person" (id) ON DELETE CASCADE); INSERT INTO theirs VALUES (3);
        CREATE SCHEMA \#(there);
        CREATE TABLE \#(there).more (person bigint REFERENCES "Person" (id)); INSERT INTO \#(there).more VALUES (2)
        """#))
    let all = Migration("all") { context in
      try context.rewrite("Person") { old in
        var new = old
        new.set("name", to: "x")
        return new
      }
    }
    let store = try open([Human.self, HumansPet.self], [all])
    #expect(try store.fetch(Query<Human>()).map(\.called) == ["x", "x", "x"])
    #expect(!psql("UPDATE theirs SET person = 99"))
    #expect(!psql("UPDATE \(there).more SET person = 99"))
    #expect(!psql(#"UPDATE "Pet" SET owner = 99"#))
    // A tool's reference takes its rows along, as it did before.
    #expect(psql(#"DELETE FROM "Human" WHERE id = 3"#))
    #expect(!psql("SELECT 1 / count(*) FROM theirs"))
  }

  @Test func `P4: a migration that gives a table to nobody is refused`() async throws {
    _ = try fill()
    let away = Migration("away") { try $0.renameEntity("Pet", to: "Animal") }
    let refused = fault { _ = try open([PersonBefore.self], [away]) }
    #expect(refused?.kind == .schemaMismatch && refused?.message.contains("Animal") ?? false)
    let renaming = Migration("rename") { try $0.rename("owner", to: "keeper", in: "Pet") }
    let unknown = fault { _ = try open([PersonBefore.self], [renaming]) }
    #expect(unknown?.kind == .schemaMismatch && unknown?.message.contains("Pet") ?? false)
    #expect(try open([PersonBefore.self, Pet.self]).count(Query<Pet>()) == 1)
    // Without its entity, a table may be emptied. A tool's rows are noticed as before.
    let emptying = Migration("empty") { try $0.delete(from: "Pet") { _ in true } }
    _ = try open([PersonBefore.self], [emptying])
    let store = try open([PersonBefore.self, Pet.self], [emptying])
    let model = try FetchedObjectsModel(Query<Pet>(), in: store)
    #expect(psql(#"INSERT INTO "Pet" (id, owner) VALUES (8, NULL)"#))
    try await store.catchUp()
    #expect(model.fetchedObjects.map(\.id) == [8])
  }

  @Test func `P4: an older program takes no column from a table without rows`() throws {
    _ = try open([PersonAfter.self])
    let refused = fault { _ = try open([PersonBefore.self]) }
    #expect(refused?.kind == .schemaMismatch)
    #expect(refused?.message.contains("update the app") ?? false)
    _ = try open([PersonAfter.self])
    // A migration leaves the columns of a table that has no rows.
    let back = Migration("back") { context in
      try context.rewrite("Person") { ["id": $0["id"], "name": .text("x")] }
    }
    #expect(try open([PersonBefore.self], [back]).count(Query<PersonBefore>()) == 0)
  }

  private struct PersonWithKey: Entity {
    let id: Int
    var name: String
    static let attributes = Attributes(.id(\PersonWithKey.id), .attribute("name", \.name))
    static let schema = Schema(attributes, PersonWithKey.init, rules: [.unique(\.name)])
    static var entityName: String { "Person" }
  }

  private struct Quiet: Entity {
    let id: Int
    var text: String
    static let attributes = Attributes(.id(\Quiet.id), .attribute("text", \.text))
    static let schema = Schema(attributes, Quiet.init)
    static var entityName: String { "note" }
  }

  private struct Loud: Entity {
    let id: Int
    var text: String
    static let attributes = Attributes(.id(\Loud.id), .attribute("text", \.text))
    static let schema = Schema(attributes, Loud.init)
    static var entityName: String { "Note" }
  }

  private struct Memo: Entity {
    let id: Int
    var text: String
    static let attributes = Attributes(.id(\Memo.id), .attribute("text", \.text))
    static let schema = Schema(attributes, Memo.init, rules: [.renamedFrom("note")])
  }

  @Test func `P4: an entity's name alone gets other letters`() throws {
    let store = try open([Quiet.self])
    try store.commit { try $0.insert(Quiet(id: 1, text: "a")) }
    for _ in 0..<2 {
      #expect(try open([Loud.self]).fetch(Query<Loud>()).map(\.text) == ["a"])
    }
    #expect(fault { try store.commit { try $0.delete(Quiet.self, 1) } }?.kind == .newer)
  }

  @Test func `P4: a program from before a rename is refused where there never was such a table`()
    throws
  {
    try open([Memo.self]).commit { try $0.insert(Memo(id: 1, text: "a")) }
    #expect(fault { _ = try open([Quiet.self]) }?.kind == .newer)
    #expect(try open([Memo.self]).count(Query<Memo>()) == 1)
  }

  @Test func `P4: a store that doesn't know a new rule is told so, and breaks it nowhere`() throws {
    let store = try fill()
    _ = try open([PersonWithKey.self])
    let failure = fault {
      try store.commit { try $0.insert(PersonBefore(id: 9, name: "Ann1 of Green")) }
    }
    #expect(failure?.kind == .newer)
  }

  private struct PersonRenamed: Entity {
    let id: Int
    var name: String
    var full: String
    static let attributes = Attributes(
      .id(\PersonRenamed.id), .attribute("name", \.name, default: ""),
      .attribute("full", \.full))
    static let schema = Schema(attributes, PersonRenamed.init)
    static var entityName: String { "Person" }
  }

  @Test func `P4: an object isn't found with the values of a table that was migrated`() throws {
    let store = try fill()
    #expect(try store.find(PersonBefore.self, 1)?.name == "Ann1 of Green")
    // A server may give a statement alone what was there before it got its locks.
    let repeatable = try Store(
      .postgreSQL(
        place.connectionString + #" options='-c default_transaction_isolation=repeatable\\ read'"#,
        schema: place.schema, durability: .normal, waiting: patience),
      entities: [PersonBefore.self, Pet.self])
    #expect(try repeatable.find(PersonBefore.self, 1)?.name == "Ann1 of Green")
    #expect(try repeatable.find(PersonBefore.self, 99) == nil)
    let renaming = Migration("rename") { try $0.rename("name", to: "full", in: "Person") }
    let after = try open([PersonRenamed.self], [renaming])
    #expect(fault { _ = try repeatable.find(PersonBefore.self, 1) }?.kind == .newer)
    // The statement of before would still run, and read the new attribute.
    for id in [1, 99] {
      #expect(fault { _ = try store.find(PersonBefore.self, id) }?.kind == .newer)
    }
    #expect(try after.find(PersonRenamed.self, 1)?.full == "Ann1 of Green")
    #expect(try after.find(PersonRenamed.self, 99) == nil)
  }

  private struct PersonReset: Entity {
    let id: Int
    var name: Int
    var rank: Int
    var age: Int?
    static let attributes = Attributes(
      .id(\PersonReset.id), .attribute("name", \.name, default: 7),
      .attribute("rank", \.rank, default: 8), .attribute("age", \.age))
    static let schema = Schema(attributes, PersonReset.init)
    static var entityName: String { "Person" }
  }

  @Test func `P4: an attribute without values gets another type, and its default`() throws {
    _ = try fill()
    let resetting = Migration("reset") { context in
      try context.rewrite("Person") { old in
        ["id": old["id"], "name": .null, "rank": .null, "age": .null]
      }
    }
    let all = try open([PersonReset.self], [resetting]).fetch(Query<PersonReset>())
    #expect(all.map(\.name) == [7, 7, 7])
    #expect(all.map(\.rank) == [8, 8, 8])
    #expect(all.allSatisfy { $0.age == nil })
  }

  @Test func `S5: a read beside a migration sees what was there, or is told, and never less`()
    throws
  {
    let store = try fill()
    let isOver = AtomicWord(0)
    let counts = Locked<[Int]>([])
    let reader = TestThread {
      while isOver.load() == 0 {
        do {
          let names = try store.fetch(Query<PersonBefore>()).map(\.name)
          counts.withLock { $0.append(names.filter { $0.contains("Ann") }.count) }
        } catch StoreError.storage(let fault) {
          #expect(fault.kind == .newer, "\(fault)")
        } catch { Issue.record(error) }
      }
    }
    expectTrue(becomesTrueBlocking { counts.withLock { $0.count > 3 } })
    let slow = Migration("slow") { context in
      try context.rewrite("Person") { old in
        usleep(5_000)
        var new = old
        new["name"] = old["id"]
        return new
      }
      // While it runs, another schema of the database can be opened.
      _ = try Store(
        .postgreSQL(
          place.connectionString, schema: "\(place.schema) beside", waiting: patience),
        entities: [Label.self])
    }
    _ = try open([PersonNumbered.self, PetNumbered.self], [slow])
    usleep(5_000)
    isOver.store(1)
    reader.join()
    #expect(counts.withLock { $0.allSatisfy { $0 == 3 } })
  }

  @Test func `S5: a read that has begun is waited for by a migration`() throws {
    let store = try open([PersonBefore.self, Pet.self, Label.self])
    try store.commit { draft in
      for id in 1...3 { try draft.insert(PersonBefore(id: id, name: "Ann\(id)")) }
    }
    let migration = Locked<TestThread?>(nil)
    try store.read { reader in
      // It looks at one table, and then the other one is migrated.
      expectEqual(try reader.count(Query<Label>()), 0)
      let numbers = Migration("numbers") { context in
        try context.rewrite("Person") { old in
          var new = old
          new["name"] = old["id"]
          return new
        }
      }
      migration.withLock {
        $0 = TestThread {
          do { _ = try open([PersonNumbered.self, PetNumbered.self], [numbers]) } catch {
            Issue.record(error)
          }
        }
      }
      usleep(300_000)
      let names = try reader.fetch(Query<PersonBefore>()).map(\.name)
      #expect(names == ["Ann1", "Ann2", "Ann3"])
    }
    migration.withLock { $0 }?.join()
    #expect(fault { _ = try store.count(Query<PersonBefore>()) }?.kind == .newer)
  }

  @Test func `S5: a read and a store that only brings a new entity don't wait for each other`()
    throws
  {
    let store = try open([PersonBefore.self, Pet.self, Label.self])
    let opening = Locked<TestThread?>(nil)
    let hasEnded = Locked(false)
    try store.read { reader in
      expectEqual(try reader.count(Query<Label>()), 0)
      opening.withLock {
        $0 = TestThread {
          do { _ = try open([PersonBefore.self, Pet.self, Word.self, Label.self]) } catch {
            Issue.record(error)
          }
          hasEnded.withLock { $0 = true }
        }
      }
      expectTrue(becomesTrueBlocking { hasEnded.withLock { $0 } })
      expectEqual(try reader.count(Query<PersonBefore>()), 0)
    }
    opening.withLock { $0 }?.join()
    #expect(try store.count(Query<PersonBefore>()) == 0)
  }

  private struct PersonNumbered: Entity {
    let id: Int
    var name: Int
    static let attributes = Attributes(.id(\PersonNumbered.id), .attribute("name", \.name))
    static let schema = Schema(attributes, PersonNumbered.init)
    static var entityName: String { "Person" }
  }

  private struct PetNumbered: Entity {
    let id: Int
    var owner: Ref<PersonNumbered>?
    static let attributes = Attributes(.id(\PetNumbered.id), .one("owner", \.owner))
    static let schema = Schema(attributes, PetNumbered.init)
    static var entityName: String { "Pet" }
  }
}
#endif

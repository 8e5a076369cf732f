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

struct PersonAfter: Entity {
  let id: Int
  var first: String
  var family: String
  var rank: Int
  static let attributes = Attributes(
    .id(\PersonAfter.id), .attribute("first", \.first),
    .attribute("family", \.family, renamedFrom: "last"), .attribute("rank", \.rank, default: 1))
  static let schema = Schema(
    attributes, PersonAfter.init, rules: [.index(\.family), .unique(\.first)])
  static var entityName: String { "Person" }
}

struct Pet: Entity {
  let id: Int
  var owner: Ref<PersonBefore>?
  static let attributes = Attributes(.id(\Pet.id), .one("owner", \.owner))
  static let schema = Schema(attributes, Pet.init)
}

struct PetAfter: Entity {
  let id: Int
  var owner: Ref<PersonAfter>?
  static let attributes = Attributes(.id(\PetAfter.id), .one("owner", \.owner))
  static let schema = Schema(attributes, PetAfter.init)
  static var entityName: String { "Pet" }
}

@Suite struct ServerMigrationTests {
  let place: (connectionString: String, schema: String)

  init() throws { place = try TestServer.place() }

  func open(
    _ entities: [any Entity.Type], _ migrations: [Migration] = [], user: String? = nil,
    progress: (@Sendable (Migration.Progress) throws -> Void)? = nil
  ) throws -> Store {
    try Store(
      .postgreSQL(
        place.connectionString + (user.map { " user='\($0)'" } ?? ""), schema: place.schema,
        durability: .normal, waiting: patience, migrations: migrations, progress: progress),
      entities: entities)
  }

  @discardableResult func psql(_ sql: String) -> Bool {
    Tool.run(place.connectionString, "SET search_path TO \"\(place.schema)\"", sql)
  }

  func fill() throws -> Store {
    let store = try open([PersonBefore.self, Pet.self])
    try store.commit { draft in
      for id in 1...3 { try draft.insert(PersonBefore(id: id, name: "Ann\(id) of Green")) }
      try draft.insert(Pet(id: 1, owner: Ref(2)))
    }
    return store
  }

  func fault(_ body: () throws -> Void) -> StorageFault? {
    do { try body() } catch StoreError.storage(let fault) { return fault } catch {
      Issue.record("\(error)")
    }
    return nil
  }

  @Test func `P4: an entity gets no reserved name, and the migration can be corrected`() throws {
    _ = try fill()
    let inserting = Migration("notes") {
      try $0.insert(["id": .integer(1)], into: "signalbox_notes")
    }
    let renaming = Migration("notes") { try $0.renameEntity("Person", to: "pg_people") }
    for migration in [inserting, renaming] {
      let refused = fault { _ = try open([PersonBefore.self, Pet.self], [migration]) }
      #expect(refused?.kind == .schemaMismatch)
      #expect(refused?.message.contains("reserved name") ?? false)
    }
    let store = try open([PersonBefore.self, Pet.self], [Migration("notes") { _ in }])
    #expect(try store.count(Query<PersonBefore>()) > 0)
  }

  @Test func `P4: a rewritten table without rows waits for its entity, too`() throws {
    _ = try open([PersonBefore.self, Pet.self])
    let rewriting = Migration("pets") { try $0.rewrite("Pet") { $0 } }
    let refused = fault { _ = try open([PersonBefore.self], [rewriting]) }
    #expect(refused?.kind == .schemaMismatch && refused?.message.contains("Pet") ?? false)
    let emptying = Migration("no pets") { try $0.delete(from: "Pet") { _ in true } }
    _ = try open([PersonBefore.self], [emptying])
    let store = try open([PersonAfter.self, PetAfter.self], [emptying, rewriting, splitting])
    #expect(try store.count(Query<PersonAfter>()) == 0)
  }

  @Test func `P4: rewrites rows once, keeps what refers to them, and newer names come after it`()
    throws
  {
    _ = try fill()
    let steps = Log<String>()
    let store = try open([PersonAfter.self, PetAfter.self], [splitting]) { progress in
      steps.note("\(progress.migration ?? "-") \(progress.step) \(progress.completed)")
    }
    let all = try store.fetch(Query<PersonAfter>().sorted { [$0.id.ascending] })
    #expect(all.map(\.first) == ["Ann1", "Ann2", "Ann3"])
    #expect(all.map(\.family) == ["of Green", "of Green", "of Green"])
    #expect(all.map(\.rank) == [1, 1, 1])
    #expect(try store.find(PetAfter.self, 1)?.owner?.id == 2)
    #expect(steps.entries.contains("split the name rewrite 3"))
    #expect(steps.entries.contains("- rename last to family 0"))
    #expect(steps.entries.contains("- add rank 0"))
    let version = try store.version
    // It doesn't run again.
    steps.note("again")
    let again = try open([PersonAfter.self, PetAfter.self], [splitting]) { steps.note($0.step) }
    #expect(steps.entries.last == "again")
    #expect(try again.version == version)
    // The server has the keys, for tools.
    #expect(!psql(#"INSERT INTO "Person" (id, first, family, rank) VALUES (9, 'Ann1', 'x', 1)"#))
    #expect(!psql(#"UPDATE "Pet" SET owner = 99"#))
    #expect(psql(#"UPDATE "Person" SET rank = 7 WHERE id = 1"#))
    try store.refresh()
    #expect(try store.find(PersonAfter.self, 1)?.rank == 7)
    #expect(try store.version == version + 1)
  }

  @Test func `P4: a row that can't be read or breaks a rule after a migration is refused`() throws {
    enum Rank: String, Storable { case low, high }
    struct Ranked: Entity {
      let id: Int
      var name: String
      var rank: Rank
      static let attributes = Attributes(
        .id(\Ranked.id), .attribute("name", \.name), .attribute("rank", \.rank, default: .low))
      static let schema = Schema(
        attributes, Ranked.init,
        rules: [.renamedFrom("Person"), .check("has a name") { !$0.name.isEmpty }])
      static var entityName: String { "Human" }
    }
    _ = try fill()
    func setting(_ name: String, _ rank: String) -> Migration {
      Migration("set") { context in
        try context.rewrite("Person") { old in
          var new = old
          new.set("name", to: name)
          new.set("rank", to: rank)
          return new
        }
      }
    }
    let unreadable = fault { _ = try open([Ranked.self], [setting("Bob", "urgent")]) }
    #expect(unreadable?.kind == .schemaMismatch)
    #expect(unreadable?.message.contains("\"urgent\"") ?? false)
    let unnamed = fault { _ = try open([Ranked.self], [setting("", "high")]) }
    #expect(unnamed?.message.contains("has a name") ?? false)
    #expect(try open([PersonBefore.self, Pet.self]).count(Query<PersonBefore>()) == 3)
    let store = try open([Ranked.self], [setting("Bob", "high")])
    #expect(try store.fetch(Query<Ranked>()).map(\.rank) == [.high, .high, .high])
  }

  @Test func `P4: a new schema runs no migration; a program without its name is older`() throws {
    let store = try open(
      [PersonAfter.self], [splitting, Migration("2") { _ in throw CancellationError() }])
    #expect(try store.count(Query<PersonAfter>()) == 0)
    let older = fault { _ = try open([PersonAfter.self], [splitting]) }
    #expect(older?.kind == .newer && older?.message.contains("\"2\"") ?? false)
  }

  @Test func `P4: a program with the schema of before is told that it is older`() throws {
    _ = try fill()
    _ = try open([PersonAfter.self, PetAfter.self], [splitting])
    #expect(fault { _ = try open([PersonBefore.self, Pet.self], [splitting]) }?.kind == .newer)
  }

  @Test func `P4: a store that is open is told that its tables were migrated, and nothing is lost`()
    throws
  {
    let store = try fill()
    let model = try FetchedObjectsModel(Query<PersonBefore>(), in: store)
    let after = try open([PersonAfter.self, PetAfter.self], [splitting])
    let failures = [
      fault { try store.commit { try $0.insert(PersonBefore(id: 9, name: "x")) } },
      fault { _ = try store.fetch(Query<PersonBefore>()) },
      fault { _ = try store.read { try $0.count(Query<PersonBefore>()) } },
    ]
    for failure in failures { #expect(failure?.kind == .newer) }
    #expect(fault { _ = try store.find(PersonBefore.self, 1) }?.kind == .newer)
    #expect(failures[0]?.message.contains("open the store again") ?? false)
    #expect(model.fetchedObjects.count == 3)
    #expect(try after.count(Query<PersonAfter>()) == 3)
  }

  @Test func `P5: a merge that finds the tables migrated publishes nothing`() async throws {
    let store = try fill()
    let commits = Recorder(store.commits)
    _ = try open([PersonAfter.self, PetAfter.self], [splitting])
    #expect(fault { try store.refresh() }?.kind == .newer)
    await store.flush()
    #expect(commits.values.isEmpty)
  }

  @Test func `P4: a store whose tables still fit goes on beside a migration`() async throws {
    let store = try open([PersonAfter.self])
    try store.commit {
      try $0.insert(PersonAfter(id: 1, first: "a", family: "b", rank: 2))
    }
    let model = try FetchedObjectsModel(Query<PersonAfter>(), in: store)
    let other = try open(
      [PersonAfter.self, PetAfter.self],
      [
        Migration("raise") { context in
          try context.rewrite("Person") { old in
            var new = old
            new.set("rank", to: 10)
            return new
          }
        }
      ])
    try await store.catchUp()
    #expect(model.fetchedObjects.map(\.rank) == [10])
    #expect(try store.find(PersonAfter.self, 1)?.rank == 10)
    try store.commit { try $0.update(PersonAfter.self, 1) { $0.family = "c" } }
    try other.refresh()
    #expect(try other.find(PersonAfter.self, 1)?.family == "c")
  }

  @Test
  func `P4: what a migration changes is undone if it throws, is cancelled or leaves a rule broken`()
    throws
  {
    _ = try fill()
    struct Mine: Error {}
    let half = Migration("half") { context in
      try context.rewrite("Person") { old in
        var new = old
        new.set("name", to: "gone")
        return new
      }
      try context.dropEntity("Pet")
      throw Mine()
    }
    #expect(throws: Mine.self) { try open([PersonBefore.self, Pet.self], [half]) }
    let cancelled = fault {
      _ = try open([PersonAfter.self, PetAfter.self], [splitting]) { progress in
        if progress.completed > 0 { throw CancellationError() }
      }
    }
    #expect(cancelled?.kind == .cancelled)
    let dangling = fault {
      _ = try open(
        [PersonBefore.self, Pet.self],
        [Migration("delete") { try $0.delete(from: "Person") { $0["id"] == .integer(2) } }])
    }
    #expect(dangling?.kind == .schemaMismatch)
    #expect(dangling?.message.contains("Pet(1) refers by owner") ?? false)
    let twice = fault {
      _ = try open(
        [PersonAfter.self, PetAfter.self],
        [
          Migration("same") { context in
            try context.rewrite("Person") { old in
              ["id": old["id"], "first": .text("Ann"), "last": .text("x")]
            }
          }
        ])
    }
    #expect(twice?.kind == .schemaMismatch)
    #expect(twice?.message.contains("the same \"first\" in Person(1), Person(2)") ?? false)
    let unknown = fault {
      _ = try open(
        [PersonBefore.self, Pet.self],
        [
          Migration("misspelt") { context in
            try context.rewrite("Person") { old in
              _ = try old.value("nane", as: String.self)
              return old
            }
          }
        ])
    }
    #expect(unknown?.message.contains("\"nane\"") ?? false)
    let store = try open([PersonBefore.self, Pet.self])
    #expect(try store.fetch(Query<PersonBefore>()).allSatisfy { $0.name.hasSuffix("of Green") })
    #expect(try store.count(Query<Pet>()) == 1)
    #expect(
      !psql(
        "SELECT * FROM signalbox_migrations WHERE 1 / 0 = (SELECT count(*) FROM signalbox_migrations)"
      ))
  }

  @Test func `P4: grants, columns and foreign keys of others survive a migration`() throws {
    _ = try fill()
    let (role, schema) = ("role of \(place.schema)", place.schema)
    #expect(
      Tool.run(
        place.connectionString, "CREATE ROLE \"\(role)\" LOGIN",
        "GRANT USAGE ON SCHEMA \"\(schema)\" TO \"\(role)\"",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"\(schema)\" TO \"\(role)\"")
    )
    #expect(
      psql(
        #"ALTER TABLE "Pet" ADD COLUMN note text; CREATE TABLE theirs (person bigint CONSTRAINT strange REFERENCES "Person" (id)); INSERT INTO theirs VALUES (3)"#
      ))
    _ = try open([PersonAfter.self, PetAfter.self], [splitting])
    let limited = try open([PersonAfter.self, PetAfter.self], [splitting], user: role)
    try limited.commit { try $0.update(PersonAfter.self, 1) { $0.rank = 3 } }
    #expect(psql(#"UPDATE "Pet" SET note = 'x'"#))
    #expect(!psql("UPDATE theirs SET person = 99"))
    #expect(psql("UPDATE theirs SET person = 1"))
    // A role without the right to alter tables is told so.
    let refused = fault {
      _ = try open(
        [PersonAfter.self, PetAfter.self],
        [splitting, Migration("drop") { try $0.dropEntity("Pet") }], user: role)
    }
    #expect(refused?.kind == .readOnly, "\(refused as Any)")
    #expect(try limited.count(Query<PetAfter>()) == 1)
  }

  @Test func `P4: two programs that open and migrate at once do it once`() throws {
    _ = try fill()
    let runs = Counter()
    let counting = Migration("count") { _ in runs.add() }
    onThreads(4) { _ in
      do { _ = try open([PersonAfter.self, PetAfter.self], [splitting, counting]) } catch {
        Issue.record(error)
      }
    }
    #expect(runs.value == 1)
  }
}
#endif

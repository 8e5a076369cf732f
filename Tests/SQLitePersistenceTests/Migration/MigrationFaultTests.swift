import EntityStore
import Fixtures
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `Mistakes in a migration` {
  private let path = temporaryPath()

  private func expect(
    _ words: [String], sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (Migration.Context) throws -> Void
  ) throws {
    let path = temporaryPath()
    try openGarage(path).fill()
    try refusal(
      path, [Person.self, Car.self], migrations: [Migration("wrong", body)], naming: words,
      sourceLocation: sourceLocation)
  }

  @Test func `P3: is reported in a sentence, not in SQLite's words alone`() throws {
    try expect(["renames Person to CAR", "drop it"]) {
      try $0.renameEntity("Person", to: "CAR")
    }
    try expect(["renames name of Person to Height"]) {
      try $0.rename("name", to: "Height", in: "Person")
    }
    try expect(["gives Person a row that its table doesn't take", "mend the row"]) {
      try $0.insert(["id": .text("ann"), "name": .text("Again")], into: "Person")
    }
    try expect(["gives Person a row that its table doesn't take"]) {
      try $0.insert(["id": .text("new"), "name": .bytes([1])], into: "Person")
    }
    try expect(["a column whose name is empty"]) {
      try $0.insert(["id": .text("new"), "": .integer(1)], into: "Person")
    }
    try expect(["a column whose name is empty or has a NUL"]) {
      try $0.insert(["id": .text("new"), "a\0b": .integer(1)], into: "Person")
    }
  }

  @Test func `P4: an entity gets no reserved name, and the migration can be corrected`() throws {
    for name in ["signalbox_notes", "Signalbox_log", "Pragma_notes", "sqlite_notes"] {
      try expect(["makes a table \(name), which is a reserved name"]) {
        try $0.insert(["id": .integer(1)], into: name)
      }
      try expect(["makes a table \(name), which is a reserved name"]) {
        try $0.renameEntity("Car", to: name)
      }
    }
    try fillPeople(path)
    let wrong = Migration("people") { try $0.renameEntity("Person", to: "pragma_people") }
    try refusal(path, [PersonBefore.self], migrations: [wrong], naming: ["reserved name"])
    let store = try Store(
      .sqlite(path: path, migrations: [Migration("people") { _ in }]),
      entities: [PersonBefore.self])
    #expect(try store.count(Query<PersonBefore>()) == 3)
  }

  @Test func `P4: a name in other letters is the same one, and can be changed to them`() throws {
    try fillPeople(path)
    struct Shouting: Entity {
      let id: Int
      var name: String
      static let attributes = Attributes(.id(\Shouting.id), .attribute("NAME", \.name))
      static let schema = Schema(attributes, Shouting.init)
      static var entityName: String { "PERSON" }
    }
    let store = try Store(
      .sqlite(
        path: path,
        migrations: [
          Migration("louder") { context in
            try context.rename("name", to: "NAME", in: "person")
            try context.renameEntity("Person", to: "PERSON")
          }
        ]), entities: [Shouting.self])
    #expect(try store.count(Query<Shouting>()) == 3)
  }

  @Test func `P4: leaves nothing behind where its body throws and it continues`() throws {
    struct Stop: Error {}
    try fillPeople(path)
    let store = try Store(
      .sqlite(
        path: path,
        migrations: [
          Migration("try") { context in
            try? context.rewrite("Person") { row in
              if row["id"] == .integer(3) { throw Stop() }
              return row
            }
          }
        ]), entities: [PersonBefore.self])
    #expect(try store.count(Query<PersonBefore>()) == 3)
    #expect(
      try RawDatabase(path).value(
        "SELECT count(*) FROM sqlite_master WHERE name LIKE 'signalbox_rewritten%'") == "0")
  }

  @Test func `S6: a row without columns traps`() async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let path = temporaryPath()
      try fillPeople(path)
      _ = try Store(
        .sqlite(path: path, migrations: [Migration("none") { try $0.insert([:], into: "Person") }]),
        entities: [PersonBefore.self])
    }
    trap.expectMessage("A migration inserts a row without columns into Person", inRelease: true)
  }
}

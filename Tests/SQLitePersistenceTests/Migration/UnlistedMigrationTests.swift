import EntityStore
@testable import SQLitePersistence
import TestSupport
import Testing

private struct Split: Entity {
  let id: Int
  var first: String
  var last: String
  static let attributes = Attributes(
    .id(\Split.id), .attribute("first", \.first), .attribute("last", \.last))
  static let schema = Schema(attributes, Split.init)
  static var entityName: String { "Person" }
}

/// What it leaves fits the schema of today, also where it is run on what has been split already.
private let split = Migration("split") { context in
  try context.rewrite("Person") { old in
    var new = old
    let words = try old.value("name", as: String.self)?.split(separator: " ") ?? []
    new.set("first", to: words.first.map(String.init) ?? "")
    new.set("last", to: words.dropFirst().joined(separator: " "))
    new.remove("name")
    return new
  }
}

/// The same that looks at what there is first.
private let guarded = Migration("split") { context in
  guard try context.attributes(of: "Person").contains("name") else { return }
  try split.body(context)
}

@Suite struct `A current file that was created without the list of migrations` {
  private let path = temporaryPath()

  private func make(_ backing: StorageKind) throws -> Store {
    let store = try Store(backing, entities: [Split.self])
    try store.commit { try $0.insert(Split(id: 1, first: "Ann", last: "Green")) }
    return store
  }

  private func names(_ path: String, _ migrations: [Migration]) throws -> [String] {
    try Store(.sqlite(path: path, migrations: migrations), entities: [Split.self])
      .fetch(Query<Split>()).map { $0.first + " " + $0.last }
  }

  @Test func `P4: is refused where a migration reads what its objects never had`() throws {
    _ = try make(.sqlite(path: path))
    try refusal(
      path, [Split.self], migrations: [split],
      naming: ["\"split\"", "\"name\"", "Person", "attributes(of:", "the same list"])
    #expect(try names(path, []) == ["Ann Green"])
    #expect(try names(path, [guarded]) == ["Ann Green"])
    // From here on the file knows the name.
    #expect(try names(path, [split]) == ["Ann Green"])
  }

  @Test func `P4: takes a migration that reads what is there, or what it has made itself`() throws {
    _ = try make(.sqlite(path: path))
    let louder = Migration("louder") { context in
      try context.rewrite("Person") { old in
        var new = old
        new.set("first", to: (try old.value("FIRST", as: String.self) ?? "").uppercased())
        new.set("note", to: "x")
        if new["note"] == .text("x") { new.remove("note") }
        #expect(new["note"] == .null)
        new.remove("last")
        new["last"] = new["last"].isNull ? old["last"] : .null
        return new
      }
      let made: Migration.Row = ["id": .integer(2), "first": .text("Bo"), "last": .text("")]
      #expect(made["name"] == .null)
      try context.insert(made, into: "Person")
    }
    #expect(try names(path, [louder]) == ["ANN Green", "Bo "])
  }

  @Test func `P4: a backup of a store in memory has the names that it is given`() throws {
    let store = try make(.inMemory)
    try store.backUp(to: path, migrations: [split])
    #expect(try names(path, [split]) == ["Ann Green"])
    let without = temporaryPath()
    try store.backUp(to: without)
    try refusal(without, [Split.self], migrations: [split], naming: ["\"split\""])
    // That of a file has the file's, whatever is given.
    let copy = temporaryPath()
    let other = Migration("other") { _ in Issue.record("It runs") }
    try Store(.sqlite(path: path, migrations: [split]), entities: [Split.self])
      .backUp(to: copy, migrations: [split, other])
    #expect(try names(copy, [split]) == ["Ann Green"])
  }

  @Test func `S6: a backup with two migrations of one name traps`() async {
    await #expect(processExitsWith: .failure) {
      try Store(.inMemory, entities: [Person.self, Car.self]).backUp(
        to: temporaryPath(), migrations: [Migration("a") { _ in }, Migration("a") { _ in }])
    }
  }

  @Test func `P4: of an older form is migrated, though it knows no names`() throws {
    try fillPeople(path, 1)
    #expect(try names(path, [split]) == ["Ann1 of Green"])
  }
}

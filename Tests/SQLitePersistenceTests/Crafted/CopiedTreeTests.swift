import EntityStore
import Foundation
import TestSupport
import Testing

@testable import SQLitePersistence

@Suite(.plainFile) struct `P6: the whole file is checked before it is copied` {
  private static let isLoose =
    "UPDATE sqlite_master SET sql = replace(sql, '\"name\" TEXT NOT NULL', '\"name\" TEXT') WHERE name = 'Letter'"

  /// Tables of another program's, and the tree that is chained.
  private enum Stranger: String, CaseIterable, Codable {
    case index, partialIndex, wideTable

    var setUp: [String] {
      switch self {
      case .index:
        ["CREATE TABLE Other (x)", "CREATE INDEX slow ON Other(replace(x, 'a', 'b'))"]
      case .partialIndex:
        [
          "CREATE TABLE Other (x)",
          "CREATE INDEX slow ON Other(x) WHERE replace(x, 'a', 'b') <> ''",
        ]
      case .wideTable:
        ["CREATE TABLE Other (\((0..<2000).map { "c\($0)" }.joined(separator: ", ")))"]
      }
    }

    var tree: String { self == .wideTable ? "Other" : "slow" }
    var column: String { self == .wideTable ? "c7" : "x" }
    /// What nobody can look at is refused as such.
    var kind: StorageFault.Kind { self == .partialIndex ? .schemaMismatch : .corrupt }
  }

  @Test(arguments: Stranger.allCases)
  private func `another program's trees, too, whose pages lead to each other`(_ one: Stranger)
    async throws
  {
    await #expect(processExitsWith: .success) { [one = one as Stranger] in
      alarm(1200)
      let path = temporaryPath()
      try makeLetters(path)
      do {
        let file = try RawDatabase(path)
        for sql in one.setUp { try file.rows(sql) }
        try file.rows("INSERT INTO Other (\(one.column)) VALUES ('xyz')")
      }
      let tree = try CraftedTree(path, of: one.tree)
      try editBytes(path) { tree.chain(&$0, width: 300, depth: 8) }
      do {
        let store = try openLetters(path)
        try fault(one.kind, naming: [path]) { try store.eraseDeleted() }
        #expect(try store.fetch(Query<Letter>()).count == 3)
      }
      try editSchema(path, [Self.isLoose])
      try fault(one.kind, naming: [path]) { _ = try openLetters(path) }
      #expect(!FileManager.default.fileExists(atPath: path + ".before-migration"))
    }
  }

  @Test func `values of added columns, which rows needn't have, are no damage`() throws {
    struct Reading: Entity {
      let id: Int
      var value: Int
      static let attributes = Attributes(.id(\Reading.id), .attribute("value", \.value))
      static let schema = Schema(attributes, Reading.init)
    }
    struct Measured: Entity {
      static let entityName = "Reading"
      let id: Int
      var value: Int
      var unit: String
      static let attributes = Attributes(
        .id(\Measured.id), .attribute("value", \.value),
        .attribute(
          "unit", \.unit, default: "the degrees of Anders Celsius, as measured on \"it's\""))
      static let schema = Schema(attributes, Measured.init)
    }
    struct Indexed: Entity {
      static let entityName = "Reading"
      let id: Int
      var value: Int
      var unit: String
      static let attributes = Attributes(
        .id(\Indexed.id), .attribute("value", \.value),
        .attribute("unit", \.unit, default: ""))
      static let schema = Schema(
        attributes, Indexed.init, rules: [.index(\.value), .index(\.unit)])
    }
    let path = temporaryPath()
    func open(_ entity: any Entity.Type) throws -> Store {
      try Store(.sqlite(path: path, durability: .normal, watching: .none), entities: [entity])
    }
    do {
      try open(Reading.self).commit { draft in
        try draft.insert(contentsOf: (0..<20_000).map { Reading(id: $0, value: $0) })
      }
    }
    do {
      let store = try open(Measured.self)
      try TreeCheck(Connection(path: path, .readOnly)).check()
      try store.eraseDeleted()
      #expect(try store.find(Measured.self, 7)?.unit.hasPrefix("the degrees") ?? false)
    }
    let store = try open(Indexed.self)
    #expect(try store.count(Query<Indexed>().filter { $0.unit == "" }) == 0)
  }

  @Test func `P4, P3: texts in double quotes of another program keep neither from being done`()
    throws
  {
    let path = temporaryPath()
    try makeLetters(path)
    do {
      let file = try RawDatabase(path)
      file.allowQuotedTexts()
      try file.rows("CREATE TABLE Other (a, b)")
      try file.rows("CREATE INDEX gone ON Other(a) WHERE b <> \"gone\"")
      // This one is made again with its table.
      try file.rows("CREATE INDEX mine ON Letter(name) WHERE note <> \"mine\"")
    }
    try openLetters(path).eraseDeleted()
    try editSchema(path, [Self.isLoose])
    #expect(try openLetters(path).fetch(Query<Letter>()).count == 3)
    let renaming = Migration("rename") { try $0.renameEntity("Other", to: "Another") }
    _ = try openLetters(path, migrations: [renaming])
    #expect(
      try RawDatabase(path).value(
        "SELECT COUNT(*) FROM sqlite_master WHERE name IN ('gone', 'mine')") == "2")
  }
}

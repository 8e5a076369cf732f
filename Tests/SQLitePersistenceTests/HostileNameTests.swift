import EntityStore
import SQLitePersistence
import TestSupport
import Testing

/// All names that SQLite has for the number of a row.
private struct Numberless: Entity {
  let id: Int
  var rowid: String?
  var oid: Double?
  var underscored: Int?
  static let schema = Schema(
    Numberless.init, .id(\.id), .attribute("ROWID", \.rowid), .attribute("oid", \.oid),
    .attribute("_RowId_", \.underscored))
}

/// Its name is that of one of our aliases.
private struct Layout: Entity {
  let id: Int
  var text = ""
  static let schema = Schema(Layout.init, .id(\.id), .attribute("text", \.text))
  static var entityName: String { "stranger" }
}

private struct Index: Entity {
  let id: Int
  var layout: Ref<Layout>?
  static let schema = Schema(
    Index.init, .id(\.id, name: "name"), .one("pk", \.layout), rules: [.index(\.layout)])
  static var entityName: String { "json_each" }
}

private struct Master: Entity {
  let id: String
  var table: String?
  static let schema = Schema(
    Master.init, .id(\.id, name: "type"), .attribute("%s", \.table), rules: [.unique(\.table)])
  static var entityName: String { "main.sqlite_master" }
}

/// Its name is that of a function that reads the layout of tables, and would hide it.
private struct Pragma: Entity {
  let id: Int
  static let schema = Schema(Pragma.init, .id(\.id))
  static var entityName: String { "Pragma_table_info" }
}

private struct Cut: Entity {
  let id: Int
  static let schema = Schema(Cut.init, .id(\.id))
  static var entityName: String { "a\0b" }
}

private struct CutAttribute: Entity {
  let id: Int
  var name: String
  static let schema = Schema(CutAttribute.init, .id(\.id), .attribute("a\0b", \.name))
}

@Suite struct `Names that are traps` {
  @Test func `P6: every name that SQLite has for a row's number may be an attribute`() throws {
    let path = temporaryPath()
    for number in 1...2 {
      let store = try Store(.sqlite(path: path), entities: [Numberless.self])
      try store.commit { draft in
        try draft.upsert(Numberless(id: 1, rowid: "\(number)", oid: 0.5, underscored: number))
      }
      let query = Query<Numberless>()
        .filter {
          $0.rowid == "\(number)"
          $0.oid == 0.5
        }
        .sorted { [$0.underscored.descending] }
      #expect(try store.fetch(query).map(\.underscored) == [number])
      #expect(throws: StoreError.keepsNoRowNumbers) {
        try store.withStorageReader { reader in
          try reader.rowNumber(of: Numberless.schema.entity, id: .integer(1))
        }
      }
    }
  }

  @Test func `P6: names of SQLite's own functions and tables may be entities`() throws {
    let path = temporaryPath()
    for number in 1...2 {
      let store = try Store(
        .sqlite(path: path), entities: [Layout.self, Index.self, Master.self])
      try store.commit { draft in
        try draft.upsert(Layout(id: number, text: "\(number)"))
        try draft.upsert(Index(id: number, layout: Ref(number)))
        try draft.upsert(Master(id: "\(number)", table: "'; DROP TABLE \"\(number)"))
      }
      #expect(try store.count(Query<Index>().filter { $0.layout.text == "\(number)" }) == 1)
      #expect(
        try store.find(Master.self, by: (\.table, "'; DROP TABLE \"\(number)"))?.id == "\(number)")
    }
    let store = try Store(.sqlite(path: path), entities: [Layout.self, Index.self, Master.self])
    #expect(try store.count(Query<Layout>()) == 2)
    // With an entity left out, its foreign keys are looked up in the file.
    let other = try Store(.sqlite(path: path), entities: [Layout.self])
    #expect(throws: StoreError.self) { try other.commit { try $0.delete(Layout.self, 1) } }
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P6: a name with a NUL, which would end the SQL, traps`() async throws {
    let entity = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = try Store(.sqlite(path: temporaryPath()), entities: [Cut.self]) }
    #expect(
      String(decoding: entity.standardErrorContent, as: UTF8.self).says(
        "a NUL, where SQL would end"))
    let attribute = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = try Store(.sqlite(path: temporaryPath()), entities: [CutAttribute.self]) }
    #expect(
      String(decoding: attribute.standardErrorContent, as: UTF8.self).says(
        "a NUL, where SQL would end"))
  }

  @Test func `P6: a name of a function that our SQL needs traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = try Store(.sqlite(path: temporaryPath()), entities: [Pragma.self]) }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).says("reserved"))
  }
}

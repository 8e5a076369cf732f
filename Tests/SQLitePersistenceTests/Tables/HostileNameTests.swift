@_spi(Storage) import EntityStore
import SQLitePersistence
import TestSupport
import Testing

/// All names that SQLite has for the number of a row.
private struct Numberless: Entity {
  let id: Int
  var rowid: String?
  var oid: Double?
  var underscored: Int?
  static let attributes = Attributes(
    .id(\Numberless.id), .attribute("ROWID", \.rowid), .attribute("oid", \.oid),
    .attribute("_RowId_", \.underscored))
  static let schema = Schema(attributes, Numberless.init)
}

/// Its name is that of one of our aliases.
private struct Layout: Entity {
  let id: Int
  var text = ""
  static let attributes = Attributes(.id(\Layout.id), .attribute("text", \.text))
  static let schema = Schema(attributes, Layout.init)
  static var entityName: String { "stranger" }
}

private struct Index: Entity {
  let id: Int
  var layout: Ref<Layout>?
  static let attributes = Attributes(.id(\Index.id, name: "name"), .one("pk", \.layout))
  static let schema = Schema(attributes, Index.init, rules: [.index(\.layout)])
  static var entityName: String { "json_each" }
}

private struct Master: Entity {
  let id: String
  var table: String?
  static let attributes = Attributes(.id(\Master.id, name: "type"), .attribute("%s", \.table))
  static let schema = Schema(attributes, Master.init, rules: [.unique(\.table)])
  static var entityName: String { "main.sqlite_master" }
}

/// Its name is that of a function that reads the layout of tables, and would hide it.
private struct Pragma: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Pragma.id))
  static let schema = Schema(attributes, Pragma.init)
  static var entityName: String { "Pragma_table_info" }
}

private struct Cut: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Cut.id))
  static let schema = Schema(attributes, Cut.init)
  static var entityName: String { "a\0b" }
}

private struct CutAttribute: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\CutAttribute.id), .attribute("a\0b", \.name))
  static let schema = Schema(attributes, CutAttribute.init)
}

@Suite struct `Hostile names` {
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
      #expect(throws: StoreError.rowNumbersUnsupported) {
        try store.withStorageReader { reader in
          try reader.numbered().rowNumber(of: Numberless.schema.entity, id: .integer(1))
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
      String(decoding: entity.standardErrorContent, as: UTF8.self).contains(
        "a NUL, where SQL would end"))
    let attribute = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = try Store(.sqlite(path: temporaryPath()), entities: [CutAttribute.self]) }
    #expect(
      String(decoding: attribute.standardErrorContent, as: UTF8.self).contains(
        "a NUL, where SQL would end"))
  }

  @Test func `P6: a name of a function that our SQL needs traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = try Store(.sqlite(path: temporaryPath()), entities: [Pragma.self]) }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("reserved"))
  }
}

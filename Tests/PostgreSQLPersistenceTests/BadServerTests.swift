#if PostgreSQL
@_spi(Storage) import EntityStore
import Fixtures
import Foundation
@_spi(Storage) @testable import PostgreSQLPersistence
import TestSupport
import Testing

@Suite struct BadServerTests {
  private let place: (connectionString: String, schema: String)

  init() throws { place = try TestServer.place() }

  /// Returns the fault with which a store isn't opened.
  private func fault(_ connectionString: String, schema: String? = nil) -> StorageFault? {
    do {
      _ = try Store(
        .postgreSQL(connectionString, schema: schema ?? place.schema, waiting: patience),
        entities: [Person.self, Car.self])
      Issue.record("The store was opened")
    } catch StoreError.storage(let fault) { return fault } catch { Issue.record(error) }
    return nil
  }

  private func psql(_ texts: String...) {
    for text in texts { #expect(Tool.run(place.connectionString, text), "\(text)") }
  }

  @Test func `A server that isn't there, or refuses, is named with what to do`() {
    let nowhere = fault("host=/nowhere dbname=x connect_timeout=2")
    #expect(nowhere?.kind == .cannotOpen)
    #expect(nowhere?.message.contains("database x on /nowhere") ?? false)
    let nobody = fault("\(place.connectionString) user=nobody_of_that_name")
    #expect(nobody?.kind == .cannotOpen && nobody?.detail?.contains("nobody_of_that_name") ?? false)
    let nothing = fault("\(place.connectionString) dbname=no_such_database")
    #expect(nothing?.kind == .cannotOpen)
    #expect(nothing?.detail?.contains("no_such_database") ?? false)
    #expect(fault("what is this")?.message.contains("can't be parsed") ?? false)
    #expect(fault("postgresql://[::1")?.message.contains("can't be parsed") ?? false)
  }

  @Test func `A server that is too old is refused with its version`() throws {
    let proxy = try ServerProxy(
      to: TestServer.folder(place.connectionString),
      replacing: ("server_version\0" + "15", "server_version\0" + "14"))
    defer { proxy.end() }
    let old = fault(proxy.connectionString)
    #expect(old?.kind == .cannotOpen)
    #expect(old?.message.contains("too old (14)") ?? false, "\(old as Any)")
  }

  @Test func `A database of another encoding, or that is read-only, is refused`() throws {
    let (latin, role) = ("latin \(place.schema)", "reader of \(place.schema)")
    psql(
      "CREATE DATABASE \"\(latin)\" ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'",
      "CREATE ROLE \"\(role)\" SUPERUSER LOGIN",
      "ALTER ROLE \"\(role)\" SET default_transaction_read_only = on")
    let encoding = fault("\(place.connectionString) dbname='\(latin)'")
    #expect(encoding?.kind == .schemaMismatch && encoding?.message.contains("UTF-8") ?? false)
    let readOnly = fault("\(place.connectionString) user='\(role)'")
    #expect(readOnly?.kind == .readOnly && readOnly?.message.contains("primary") ?? false)
    #expect(readOnly?.detail?.hasPrefix("25006") ?? false)
  }

  @Test func `Tables of another program, or of a newer library, are refused and stay as they are`()
    throws
  {
    let schema = "\"\(place.schema)\""
    psql("CREATE SCHEMA \(schema)", "CREATE TABLE \(schema).\"Car\" (id text)")
    let foreign = fault(place.connectionString)
    #expect(foreign?.kind == .foreign && foreign?.message.contains("table Car") ?? false)
    // Nothing half made is left.
    #expect(
      !Tool.run(place.connectionString, "SELECT 1 FROM \(schema).signalbox_metadata"))
    psql("DROP TABLE \(schema).\"Car\"")
    let store = try Store(
      .postgreSQL(place.connectionString, schema: place.schema, waiting: patience),
      entities: [Person.self, Car.self])
    try store.fillGarage()
    psql("UPDATE \(schema).signalbox_metadata SET value = 99 WHERE name = 'format'")
    let newer = fault(place.connectionString)
    #expect(newer?.kind == .newer && newer?.message.contains("99") ?? false)
    psql("DELETE FROM \(schema).signalbox_metadata WHERE name = 'format'")
    #expect(fault(place.connectionString)?.kind == .corrupt)
  }

  @Test(arguments: [3, 4])
  func `P4: a schema of an earlier format gets today's functions when it is opened`(
    _ format: Int
  ) throws {
    let place = try ToolPlace()
    try place.open().fillGarage()
    #expect(
      place.psql(
        """
        UPDATE signalbox_metadata SET value = \(format) WHERE name = 'format';
        CREATE OR REPLACE FUNCTION signalbox_tool_version() RETURNS bigint
          LANGUAGE sql AS 'SELECT 1::bigint'
        """))
    let store = try place.open()
    #expect(place.psql(#"UPDATE "Car" SET year = 7 WHERE id = 1"#))
    #expect(try store.version == 2)
    #expect(!place.psql("SELECT 1 / (value - 5) FROM signalbox_metadata WHERE name = 'format'"))
  }

  @Test func `A code that has two causes names both`() {
    let place = ServerPlace(host: "h", database: "d", schema: "s")
    func fault(_ code: String) -> StorageFault {
      ServerFault.fault(code, "", of: place, while: "committing")
    }
    let limit = fault("54000").message
    #expect(limit.contains("2,600 bytes") && limit.contains("NOTIFY"), "\(limit)")
    for code in ["25P03", "25P04"] {
      #expect(fault(code).kind == .busy && fault(code).message.contains("or ran, for too long"))
    }
  }

  @Test func `A role without a right is told so, when it opens, reads or writes`() throws {
    let (role, schema) = ("\"poor of \(place.schema)\"", "\"\(place.schema)\"")
    psql("CREATE ROLE \(role) LOGIN")
    let poor = "\(place.connectionString) user='poor of \(place.schema)'"
    let opening = fault(poor)
    #expect(opening?.kind == .readOnly && opening?.message.contains("the guide") ?? false)
    let store = try Store(
      .postgreSQL(place.connectionString, schema: place.schema, waiting: patience),
      entities: [Person.self, Car.self])
    try store.fillGarage()
    #expect(fault(poor)?.message.contains("GRANT USAGE") ?? false)
    psql(
      "GRANT USAGE ON SCHEMA \(schema) TO \(role)",
      "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role)",
      "REVOKE INSERT ON \(schema).\"Car\" FROM \(role)")
    let limited = try Store(
      .postgreSQL(poor, schema: place.schema), entities: [Person.self, Car.self])
    let error = #expect(throws: StoreError.self) {
      try limited.commit { draft in
        try draft.insert(Person(id: 77, name: "half"))
        try draft.insert(Car(id: 77, model: "x", year: 0, owner: nil))
      }
    }
    guard case .storage(let fault)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.kind == .readOnly && fault.detail?.hasPrefix("42501") ?? false)
    #expect(try store.find(Person.self, 77) == nil)
    #expect(try limited.count(Query<Car>()) == 4)
  }

  @Test func `Long keys are refused with the attribute's limit, and nothing is committed`() throws {
    let store = try Store(
      .postgreSQL(place.connectionString, schema: place.schema, waiting: patience),
      entities: [Named.self])
    // A text that doesn't shrink.
    var random = SeededGenerator(number: 5)
    let long = String(
      (0..<9000).map { _ in
        Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &random)))
      })
    let error = #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(Named(id: 1, name: long)) }
    }
    #expect("\(error as Any)".contains("2,600 bytes"))
    #expect(try store.count(Query<Named>()) == 0)
    try store.commit { try $0.insert(Named(id: 1, name: String(long.prefix(2600)))) }
    #expect(try store.find(Named.self, 1)?.name.utf8.count == 2600)
  }

  private struct Named: Entity {
    let id: Int
    var name: String
    static let attributes = Attributes(.id(\Named.id), .attribute("name", \.name))
    static let schema = Schema(attributes, Named.init, rules: [.unique(\.name)])
  }

  @Test func `P5: a merge is made again only for a fault that passes`() {
    let place = ServerPlace(host: "h", database: "d", schema: "s")
    func passes(_ code: String?) -> Bool {
      ServerFault.isTransient(
        StoreError.storage(ServerFault.fault(code, "", of: place, while: "it")))
    }
    for code in ["55P03", "40P01", "40001", "53100"] { #expect(passes(code), "\(code)") }
    // Those of an observer that a right or a time limit keeps from reading would have no end.
    for code in ["42501", "57014", "42P01", "XX001", nil] {
      #expect(!passes(code), "\(code ?? "lost")")
    }
  }
}
#endif

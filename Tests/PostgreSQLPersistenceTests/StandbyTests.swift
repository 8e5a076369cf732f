#if PostgreSQL
@_spi(Storage) import EntityStore
import Fixtures
@_spi(Storage) import PostgreSQLPersistence
import TestSupport
import Testing

/// Servers that take no writes: standbys, and databases that are read-only for a while.
@Suite(.serialized) struct StandbyTests {
  private func open(_ connectionString: String, _ schema: String) throws -> Store {
    try Store(
      .postgreSQL(connectionString, schema: schema, durability: .normal, waiting: patience),
      entities: [Person.self, Car.self])
  }

  /// Returns the fault with which a store isn't opened.
  private func fault(_ connectionString: String, _ schema: String) -> StorageFault? {
    do { _ = try open(connectionString, schema) } catch StoreError.storage(let fault) {
      return fault
    } catch { Issue.record(error) }
    return nil
  }

  @Test func `A standby is refused, and of several hosts the primary server is taken`() throws {
    let server = try TestServer(settings: ["wal_level=replica", "max_wal_senders=4"])
    defer { server.stop() }
    let folder = TestServer.folder(server.connectionString)
    try open(server.connectionString, "followed").fillGarage()
    try server.run(.standby)
    let standby = "\(folder)/standby.socket"
    for hosts in [standby, "\(standby),\(standby)"] {
      let refused = fault("\(server.connectionString) host='\(hosts)'", "followed")
      #expect(refused?.kind == .readOnly, "\(refused as Any)")
      #expect(refused?.message.contains("it is a standby") ?? false, "\(refused as Any)")
    }
    let store = try open("\(server.connectionString) host='\(standby),\(folder)'", "followed")
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(try store.count(Query<Car>()) == 3)
  }

  @Test func `A server that was read-only for a while takes the next commit`() throws {
    let place = try TestServer.place()
    let database = "switched \(place.schema)"
    func run(_ sql: String) { #expect(Tool.run(place.connectionString, sql), "\(sql)") }
    run("CREATE DATABASE \"\(database)\" TEMPLATE template0")
    let store = try open("\(place.connectionString) dbname='\(database)'", "signalbox")
    try store.fillGarage()
    run("ALTER DATABASE \"\(database)\" SET default_transaction_read_only = on")
    run(
      """
      SELECT pg_terminate_backend(pid, 300000) FROM pg_stat_activity WHERE datname = '\(database)'
      """)
    let error = #expect(throws: StoreError.self) {
      try store.commit { try $0.delete(Car.self, 1) }
    }
    guard case .storage(let fault)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.kind == .readOnly, "\(fault)")
    run("ALTER DATABASE \"\(database)\" RESET default_transaction_read_only")
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(try store.fetch(Query<Car>().sorted { [$0.id.ascending] }).map(\.id) == [1, 3, 4])
  }
}
#endif

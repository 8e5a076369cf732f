@_spi(Storage) package import EntityStore
@_spi(Storage) import SQLitePersistence
import CTestProcess
import TestSupport

#if PostgreSQL
@_spi(Storage) import PostgreSQLPersistence
#endif

/// U+0000 for texts that all storages have; a server's texts can't have it.
#if PostgreSQL
package let nul = "\u{1}"
#else
package let nul = "\0"
#endif

/// The storages that every rule holds on.
package enum TestStorage: String, CaseIterable, Codable, Sendable {
  case memory
  case file
  /// Memory that is read as if it were far away.
  case far
  #if PostgreSQL
  case server
  #endif

  package static var allCases: [TestStorage] { [.memory, .file] }

  /// All storages, with that in a server if the trait `PostgreSQL` is enabled.
  ///
  /// With a sanitizer, only the server's own tests use it.
  package static var withServer: [TestStorage] {
    #if PostgreSQL
    test_process_is_sanitized() ? allCases : allCases + [.server]
    #else
    allCases
    #endif
  }

  package func makeStore(_ entities: any Entity.Type...) throws -> Store {
    try makeStore(entities)
  }

  package func makeStore(_ entities: [any Entity.Type]) throws -> Store {
    try Store(backing, entities: entities)
  }

  package var backing: StorageKind {
    switch self {
    case .memory: .inMemory
    case .file: .sqlite(path: temporaryPath("store"), durability: .normal)
    case .far: .custom { FarStorage() }
    #if PostgreSQL
    case .server: .custom { try Self.serverStorage() }
    #endif
    }
  }

  package func makeStorage() throws -> any Storage {
    switch self {
    case .memory: InMemoryStorage()
    case .file: try SQLiteStorage(path: temporaryPath("store"), durability: .normal)
    case .far: FarStorage()
    #if PostgreSQL
    case .server: try Self.serverStorage()
    #endif
    }
  }

  #if PostgreSQL
  private static func serverStorage() throws -> PostgreSQLStorage {
    let place = try TestServer.place()
    return PostgreSQLStorage(
      place.connectionString, schema: place.schema, durability: .normal, waiting: .seconds(300))
  }
  #endif
}

@_spi(Storage) package import EntityStore
@_spi(Storage) import SQLitePersistence
import TestSupport

/// The storages that every rule holds on.
package enum TestStorage: String, CaseIterable, Codable, Sendable {
  case memory
  case file

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
    }
  }

  package func makeStorage() throws -> any Storage {
    switch self {
    case .memory: InMemoryStorage()
    case .file: try SQLiteStorage(path: temporaryPath("store"), durability: .normal)
    }
  }
}

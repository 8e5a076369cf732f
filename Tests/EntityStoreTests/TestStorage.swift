import EntityStore
import Foundation
import Relays
import SQLitePersistence

/// The storages that every rule holds on.
enum TestStorage: String, CaseIterable, Sendable {
  case memory
  case file

  func makeStore(_ entities: any Entity.Type...) throws -> Store {
    try Store(backing, entities: entities)
  }

  var backing: Backing {
    switch self {
    case .memory: .inMemory
    case .file: .sqlite(path: temporaryPath("store"), durability: .normal)
    }
  }

  func makeStorage() throws -> any Storage {
    switch self {
    case .memory: InMemoryStorage()
    case .file: try SQLiteStorage(path: temporaryPath("store"), durability: .normal)
    }
  }
}

/// A path for a new file, in a folder that goes with the process.
func temporaryPath(_ name: String) -> String {
  folder.appendingPathComponent("\(name)-\(UUID().uuidString).sqlite").path
}

private let folder: URL = {
  try? FileManager.default.createDirectory(at: folderURL, withIntermediateDirectories: true)
  atexit { try? FileManager.default.removeItem(at: folderURL) }
  return folderURL
}()

private var folderURL: URL {
  FileManager.default.temporaryDirectory
    .appendingPathComponent("signalbox-\(ProcessInfo.processInfo.processIdentifier)")
}

@_spi(Storage) import EntityStore
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

@Suite struct `The definitions of a file's tables` {
  private let path = temporaryPath()

  /// Opens the file, and returns how often that has read them.
  private func readsOfOpening(_ entities: [any Entity.Type]) throws -> Int {
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    let store = try Store(.custom { storage }, entities: entities)
    return withExtendedLifetime(store) { storage.writer.connection.definitionReads }
  }

  @Test func `P4: are read equally often however many entities a file is opened with`() throws {
    let entities: [any Entity.Type] = [Letter.self, Stamp.self, Person.self, Car.self]
    _ = try readsOfOpening(entities)
    let count = try readsOfOpening([Letter.self])
    #expect(count > 0)
    #expect(try readsOfOpening(entities) == count)
  }
}

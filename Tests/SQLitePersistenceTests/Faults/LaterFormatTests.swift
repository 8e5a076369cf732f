import EntityStore
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A file of a later format` {
  private let path = temporaryPath()

  /// Does what a later version of the library may do.
  private func advance() throws {
    let raw = try RawDatabase(path)
    try raw.rows("BEGIN IMMEDIATE")
    try raw.rows("UPDATE signalbox_metadata SET value = 99 WHERE name = 'format'")
    try raw.rows("CREATE TABLE signalbox_extra (x ANY) STRICT")
    try raw.rows("ALTER TABLE signalbox_migrations ADD COLUMN at REAL")
    try raw.rows("COMMIT")
  }

  @Test func `P3: is newer, also if it has other tables of the library's own`() async throws {
    let store = try openGarage(path)
    try store.fill()
    try advance()
    try fault(.newer, naming: [path, "format 99", "update the app"]) {
      _ = try store.count(Query<Car>())
    }
    try fault(.newer, naming: [path, "format 99"]) {
      try store.commit { try $0.delete(Car.self, .min) }
    }
    await store.close()
    try refusal(path, [Person.self, Car.self], .newer, naming: ["format 99", "update the app"])
    try fault(.newer, naming: [path, "format 99"]) { _ = try readGarage(path) }
    #expect(try RawDatabase(path).value("SELECT count(*) FROM Car") == "2")
  }

  @Test func `P3: whose format stands in a table that was changed is damaged`() throws {
    try openGarage(path).fill()
    try advance()
    try RawDatabase(path).rows("ALTER TABLE signalbox_metadata ADD COLUMN more ANY")
    try refusal(path, [Person.self, Car.self], .corrupt, naming: ["signalbox_metadata"])
  }
}

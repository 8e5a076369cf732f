import EntityStore
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

@Suite struct `Values of a file's storage print one line` {
  @Test func `Storages, migrations, their rows and ways of watching are one line`() throws {
    let path = temporaryPath()
    #expect("\(try SQLiteStorage(path: path))" == "SQLiteStorage(\"\(path)\")")
    #expect("\(Migration("split the name") { _ in })" == #"Migration("split the name")"#)
    let row: Migration.Row = ["id": .integer(1), "name": .text("A\"nn"), "age": .null]
    #expect("\(row)" == #"[id: 1, name: "A\"nn", age: nil]"#)
    #expect("\(Migration.Row())" == "[:]")
    #expect(
      "\([StorageKind.FileWatching.automatic, .none, .every(.milliseconds(20))])"
        == "[automatic, none, every 0.02 seconds]")
    var text = ""
    dump([row], to: &text)
    #expect(!text.contains("absent") && text.contains("name"))
  }
}

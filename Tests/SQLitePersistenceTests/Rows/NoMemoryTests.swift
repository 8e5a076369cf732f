import SQLiteLibrary
@_spi(Storage) import EntityStore
@_spi(Storage) import SQLMapping
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

private struct Memo: Entity {
  let id: Int
  var text: String
  static let attributes = Attributes(.id(\Memo.id), .attribute("text", \.text))
  static let schema = Schema(attributes, Memo.init)
}

/// A text that SQLite copies when it is read as a value, since no NUL follows it.
private let text = String(repeating: "x", count: 100_000)

/// Runs `body` while SQLite gets no more memory, and returns the code of the fault that it throws.
///
/// It returns nil if `body` throws none.
private func codeWithoutMemory(_ body: () throws -> Void) throws -> Int? {
  sqlite3_hard_heap_limit64(sqlite3_memory_used())
  defer { sqlite3_hard_heap_limit64(0) }
  do { try body() } catch StoreError.storage(let fault) { return fault.code }
  return nil
}

// The limit is one of the process.
@Suite struct `A text for which SQLite has no memory` {
  @Test func `S6: it is an error of an object's row, and not empty`() async {
    await #expect(processExitsWith: .success) {
      let connection = try Connection(path: temporaryPath(), .readWriteCreate)
      // SQLite may be built without a count of its memory, and then has no limit.
      if sqlite3_memory_used() == 0 { return }
      let cells = UnsafeRowCells(Memo.schema.entity)
      let statement = try connection.query("SELECT 1, ?")
      try statement.bind(.text(text), at: 1)
      let hasRow = try statement.step()
      precondition(hasRow)
      let code = try codeWithoutMemory { _ = try cells.load(statement) }
      precondition(code == 7, "\(String(describing: code))")
    }
  }

  @Test func `S6: it is an error of the next step of other statements`() async {
    await #expect(processExitsWith: .success) {
      let connection = try Connection(path: temporaryPath(), .readWriteCreate)
      if sqlite3_memory_used() == 0 { return }
      let statement = try connection.query("SELECT ?")
      try statement.bind(.text(text), at: 1)
      let hasRow = try statement.step()
      precondition(hasRow)
      let code = try codeWithoutMemory {
        _ = statement.value(0)
        _ = try statement.step()
      }
      precondition(code == 7, "\(String(describing: code))")
    }
  }
}

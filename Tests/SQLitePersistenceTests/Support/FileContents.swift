import EntityStore
import Foundation
import SQLitePersistence
import Testing

/// Everything that stands in a file, as SQL writes it: what is made of what, and all rows.
func fileContents(_ path: String) throws -> [String] {
  let file = try RawDatabase(path)
  var lines = try file.rows(
    "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
  ).map { $0.map { $0 ?? "nil" }.joined(separator: " | ") }
  let tables = try file.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
  for table in tables.compactMap(\.first).compactMap({ $0 }) {
    let columns = try file.rows("SELECT name FROM pragma_table_info(\(sqlText(table)))")
      .map { "quote(\(sqlName($0[0] ?? "")))" }
    for row in try file.rows(
      "SELECT \(columns.joined(separator: ", ")) FROM \(sqlName(table)) ORDER BY 1, rowid")
    {
      lines.append(table + ": " + row.map { $0 ?? "" }.joined(separator: ", "))
    }
  }
  return lines
}

func sqlName(_ name: String) -> String {
  "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
}

func sqlText(_ text: String) -> String {
  "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
}

/// The fault that opening a file reports, which leaves it as it was.
@discardableResult
func refusal(
  _ path: String, _ entities: [any Entity.Type], migrations: [Migration] = [],
  _ kind: StorageFault.Kind = .schemaMismatch, naming words: [String] = [],
  progress: (@Sendable (Migration.Progress) throws -> Void)? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> String {
  let before = try fileContents(path)
  var message = ""
  do {
    _ = try Store(
      .sqlite(path: path, migrations: migrations, progress: progress), entities: entities)
    Issue.record("The file is opened", sourceLocation: sourceLocation)
  } catch StoreError.storage(let fault) {
    #expect(fault.kind == kind, "\(fault)", sourceLocation: sourceLocation)
    #expect(fault.message.contains(path), sourceLocation: sourceLocation)
    for word in words {
      #expect(fault.message.contains(word), "\(fault)", sourceLocation: sourceLocation)
    }
    message = fault.message
  }
  #expect(try fileContents(path) == before, sourceLocation: sourceLocation)
  #expect(!hasCopy(path), sourceLocation: sourceLocation)
  return message
}

/// Whether the copy is there that a migration keeps until it is done.
func hasCopy(_ path: String) -> Bool {
  FileManager.default.fileExists(atPath: path + ".before-migration")
}

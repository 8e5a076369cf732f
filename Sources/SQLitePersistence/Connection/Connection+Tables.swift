internal import EntityStore

extension Connection {
  /// The version of the file's schema, which changes with its tables.
  var schemaVersion: Int64 {
    get throws { try integer("PRAGMA schema_version") ?? 0 }
  }

  func hasTable(_ name: String) throws -> Bool {
    let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return try integer(sql, [.text(name)]) != nil
  }
}

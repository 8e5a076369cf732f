internal import EntityStore

extension Connection {
  /// Returns true if the file has a table with a name.
  func hasTable(_ name: String) throws -> Bool {
    var exists = false
    try query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
      .run([.text(name)]) { _ in exists = true }
    return exists
  }
}

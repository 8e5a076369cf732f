@_spi(Storage) internal import EntityStore

extension Migrator {
  /// Throws if a row of a table that the store is opened without refers to one that doesn't exist.
  ///
  /// The store has no schema for such a table. The table's foreign keys state to what it refers.
  func checkStrangers() throws {
    let known = Set(entities.map { FoldedName($0.name) })
    for (name, table) in try TableShape.names(connection).sorted(by: {
      TextBytes.compare($0.value, $1.value) < 0
    }) where !known.contains(name) {
      guard let key = try brokenKey(of: table) else { continue }
      throw mismatch(
        "\(table), which the store is opened without, refers by \(key.columns.joined(separator: ", ")) to "
          + "a \(key.target) that isn't there; open the store with that entity, too, and mend it in a "
          + "migration, or with the sqlite3 shell where the table is another program's")
    }
  }

  /// Returns a foreign key of a table that a row breaks, or nil.
  private func brokenKey(of table: String) throws -> (target: String, columns: [String])? {
    var broken: (target: String, id: Int64)?
    do {
      try connection.query("SELECT parent, fkid FROM pragma_foreign_key_check(?) LIMIT 1")
        .run([.text(table)]) { broken = ($0.value(0).description, $0.integer(1)) }
    } catch StoreError.storage(let fault) where fault.code == 1 {
      // Another program's foreign key to columns that aren't unique can't be checked.
      return nil
    }
    guard let broken else { return nil }
    var columns: [String] = []
    try connection.query(
      "SELECT \"from\" FROM pragma_foreign_key_list(?) WHERE id = ? ORDER BY seq"
    ).run([.text(table), .integer(broken.id)]) { columns.append($0.value(0).description) }
    return (broken.target, columns)
  }
}

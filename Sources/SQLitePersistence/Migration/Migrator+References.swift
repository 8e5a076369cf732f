@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension Migrator {
  /// Throws if a row refers to one that doesn't exist, by a reference that a migration may have
  /// broken, or that wasn't checked before.
  ///
  /// A tool may have broken another one long ago. The store has been used with it since, so it
  /// doesn't keep the app from its file.
  func checkReferences(of change: TableChange) throws {
    let entity = change.entity
    let isWritten =
      written.hasWritten(to: entity.name) || written.loosened.contains(FoldedName(entity.name))
    let shape = TableShape(name: entity.name)
    try RowChecks(change: change, shape: shape, connection: connection).checkReferences { index in
      guard let key = TableShape.ForeignKey(of: index, in: entity) else { return false }
      // A default may refer to nothing.
      let isFilled = change.sources.contains {
        $0.isFilled && $0.attribute.name == entity.columns[index].name
      }
      return isWritten || isFilled || written.mayLackRows(of: key.target)
        || change.newReferences.contains(key)
    }
  }

  /// Throws if a migration may have left a row that refers to one that doesn't exist, in a table
  /// that the store is opened without.
  ///
  /// The store has no schema for such a table. The table's foreign keys state to what it refers. A
  /// reference that was broken before is the affair of the program that has the table.
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

  /// Returns a foreign key of a table that a row breaks, and that a migration may have broken, or
  /// nil.
  private func brokenKey(of table: String) throws -> (target: String, columns: [String])? {
    // A migration may also have written rows that refer to nothing.
    let isWritten = written.hasWritten(to: table) || written.loosened.contains(FoldedName(table))
    func mayBeBroken(_ target: String) -> Bool {
      isWritten || written.mayLackRows(of: FoldedName(target))
    }
    var needsCheck = false
    try connection.query("SELECT DISTINCT \"table\" FROM pragma_foreign_key_list(?)")
      .run([.text(table)]) { needsCheck = needsCheck || mayBeBroken($0.value(0).description) }
    if !needsCheck { return nil }
    var broken: (target: String, id: Int64)?
    do {
      try connection.query("SELECT DISTINCT parent, fkid FROM pragma_foreign_key_check(?)")
        .run([.text(table)]) {
          let target = $0.value(0).description
          if broken == nil && mayBeBroken(target) { broken = (target, $0.integer(1)) }
        }
    } catch StoreError.storage(let fault) where fault.code == 1 {
      // Another program's foreign key to columns that aren't unique can't be checked.
      return nil
    }
    guard let broken else { return nil }
    let sql = "SELECT \"from\" FROM pragma_foreign_key_list(?) WHERE id = ? ORDER BY seq"
    return (broken.target, try connection.texts(sql, [.text(table), .integer(broken.id)]))
  }
}

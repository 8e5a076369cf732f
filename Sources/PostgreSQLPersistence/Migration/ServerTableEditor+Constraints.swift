#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

// The server alters no table that has checks outstanding.
extension ServerTableEditor {
  /// Drops the foreign keys and the deferred unique keys, once, before rows are written.
  func dropConstraints() throws {
    if kept != nil { return }
    try lock()
    hasChanged = true
    // They belong or refer to a table of the library, in any schema. A partition's goes with that
    // of its table.
    let found = try connection.run(
      """
      SELECT CAST(conname AS text), pg_get_constraintdef(pg_constraint.oid), CAST(conrelid AS bigint),
        CAST(confrelid AS bigint), CAST(CAST(confrelid AS regclass) AS text), CAST(CAST(conrelid AS regclass) AS text)
      FROM pg_constraint
      WHERE conparentid = 0 AND (contype = 'f' OR (contype = 'u' AND condeferrable))
        AND EXISTS (SELECT 1 FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
          WHERE tgname = 'signalbox_note_truncate' AND tgrelid IN (conrelid, confrelid)
            AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1))
      """, [.text(connection.place.schema)])
    kept = (0..<found.rowCount).map {
      Constraint(
        name: found.text($0, 0), definition: found.text($0, 1), table: found.integer($0, 2),
        target: found.integer($0, 3), targetName: found.text($0, 4))
    }
    for row in 0..<found.rowCount {
      // The server has quoted the table's name.
      try connection.execute(
        "ALTER TABLE \(found.text(row, 5)) DROP CONSTRAINT \(SQL.quoted(found.text(row, 0)))")
    }
  }

  /// Adds again what was dropped of others, and of entities that the store is opened without.
  func restoreConstraints(besides entities: [EntityDescription]) throws {
    let known = Set(entities.map { FoldedName($0.name) })
    for constraint in kept ?? [] {
      let tables = try connection.run(
        """
        SELECT CAST(CAST(pg_class.oid AS regclass) AS text), CAST(relname AS text)
        FROM pg_class WHERE oid IN (CAST($1 AS oid), CAST($2 AS oid)) ORDER BY oid <> CAST($1 AS oid)
        """, [.integer(constraint.table), .integer(constraint.target)])
      // A table may have been dropped.
      let isReferring = constraint.target != 0 && constraint.target != constraint.table
      guard tables.rowCount == (isReferring ? 2 : 1) else { continue }
      if constraint.name.hasPrefix("signalbox_"), known.contains(FoldedName(tables.text(0, 1))) {
        continue
      }
      let target = tables.text(isReferring ? 1 : 0, 0)
      let definition = constraint.definition.replacing(
        "REFERENCES \(constraint.targetName)(", with: "REFERENCES \(target)(")
      do {
        try connection.execute(
          "ALTER TABLE \(tables.text(0, 0)) ADD CONSTRAINT \(SQL.quoted(constraint.name)) \(definition)"
        )
      } catch StoreError.storage(let fault) {
        throw StoreError.fault(
          .schemaMismatch,
          "\(place): the constraint \(constraint.name) of \(tables.text(0, 1)), which another program has made, "
            + "doesn't hold any more (\(fault.detail ?? "")); drop it first, or mend the rows in a migration"
        )
      }
    }
  }
}
#endif

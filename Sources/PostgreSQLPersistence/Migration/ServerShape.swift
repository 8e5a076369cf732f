#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The parts of a table as a server has them.
struct ServerShape: FoundTable {
  struct Column: FoundColumn {
    var name: String
    /// The type, or nil if it isn't one of the library's.
    let type: ServerType?
    let isOptional: Bool
    /// True if its values aren't texts, or are texts that are compared by their bytes (S8).
    let isOfBytes: Bool
  }

  let name: String
  var columns: [Column] = []
  /// The columns of the primary key.
  var identity: Set<FoldedName> = []
  /// The name of the primary key's constraint.
  var identityName: String?
  /// The names of the constraints and the indexes that the library has made.
  var ownNames: Set<String> = []
  /// The names of its indexes among them.
  ///
  /// It leaves out the indexes of unique keys, and the indexes that a rename has moved aside.
  var indexNames: Set<String> = []
  var hasRowNumber = false
  /// True if the table has a trigger of the library.
  var isOwn = false

  mutating func renameInKey(_ column: FoldedName, to new: FoldedName) {
    if identity.remove(column) != nil { identity.insert(new) }
  }

  func hasRows(_ connection: ServerConnection) throws -> Bool {
    try connection.run("SELECT 1 FROM \(quotedName) LIMIT 1", []).rowCount > 0
  }

  /// Reads the tables of the connection's schema, without the library's own ones.
  static func all(_ connection: ServerConnection) throws -> [FoldedName: ServerShape] {
    let schema: [StoredValue] = [.text(connection.place.schema)]
    let columns = try connection.query(
      """
      SELECT CAST(relname AS text), CAST(attname AS text), CAST(atttypid AS bigint), NOT attnotnull,
        COALESCE(attnum = ANY (indkey), FALSE),
        EXISTS (SELECT 1 FROM pg_trigger
          WHERE tgrelid = pg_class.oid AND tgname = 'signalbox_note_truncate'),
        -- None, "C" and "POSIX", which have these numbers on every server.
        attcollation IN (0, 950, 951)
      FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_index ON indrelid = pg_class.oid AND indisprimary
      WHERE nspname = $1 AND relkind IN ('r', 'p') AND left(relname, 10) <> 'signalbox_'
      ORDER BY relname, attnum
      """, schema)
    let names = try connection.query(
      """
      SELECT CAST(relname AS text), CAST(conname AS text), contype = 'p', FALSE
      FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
      WHERE connamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
        AND (contype = 'p' OR contype IN ('f', 'u') AND left(conname, 10) = 'signalbox_')
      UNION ALL
      SELECT CAST(owner.relname AS text), CAST(pg_class.relname AS text), FALSE,
        NOT indisunique AND left(pg_class.relname, 11) <> 'signalbox_r'
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_class AS owner ON owner.oid = indrelid
      WHERE owner.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
        AND left(pg_class.relname, 10) = 'signalbox_'
      """, schema)
    connection.enqueue(columns, UnsafeParameters(schema))
    connection.enqueue(names, UnsafeParameters(schema))
    let results = try connection.flush()
    let found = results[results.count - 2]
    var all: [ExactText: ServerShape] = [:]
    for row in 0..<found.rowCount {
      let table = ExactText(found.text(row, 0))
      var shape = all[table] ?? ServerShape(name: table.text)
      let name = found.text(row, 1)
      if name == PostgreSQLDialect.rowNumber {
        shape.hasRowNumber = true
      } else {
        shape.columns.append(
          Column(
            name: name, type: ServerType(rawValue: Oid(found.integer(row, 2))),
            isOptional: found.integer(row, 3) != 0,
            isOfBytes: found.integer(row, 6) != 0))
        if found.integer(row, 4) != 0 { shape.identity.insert(FoldedName(name)) }
      }
      shape.isOwn = found.integer(row, 5) != 0
      all[table] = shape
    }
    let own = results[results.count - 1]
    for row in 0..<own.rowCount {
      let name = ExactText(own.text(row, 0))
      if own.integer(row, 2) != 0 {
        all[name]?.identityName = own.text(row, 1)
      } else {
        all[name]?.ownNames.insert(own.text(row, 1))
        if own.integer(row, 3) != 0 { all[name]?.indexNames.insert(own.text(row, 1)) }
      }
    }
    // A server's names differ in case. Another program's table may be named like one of ours.
    var shapes: [FoldedName: ServerShape] = [:]
    for shape in all.values {
      let name = FoldedName(shape.name)
      if let other = shapes[name], other.isOwn || !shape.isOwn && other.name < shape.name {
        continue
      }
      shapes[name] = shape
    }
    return shapes
  }
}
#endif

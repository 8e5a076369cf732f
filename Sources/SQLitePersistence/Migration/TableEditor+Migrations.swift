@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension TableEditor: MigrationTables {
  var place: String { connection.path }

  func checkIsInTransaction() throws { try connection.checkIsInTransaction() }

  func tableNames() throws -> [String] { Array(try TableShape.names(connection).values) }

  func table(of entity: String) throws -> (name: String, columns: [String])? {
    try shape(of: entity).map { ($0.name, $0.columns.map(\.name)) }
  }

  func isReserved(_ table: String) -> Bool { StoreTables.isReserved(table) }

  func rowCount(of table: String) throws -> Int {
    try shape(of: table)?.rowCount(connection) ?? 0
  }

  func forEachBatch(of table: String, _ body: ([Migration.Row]) throws -> Void) throws {
    if let shape = try shape(of: table) { try forEachBatch(of: shape, body) }
  }

  func target(_ table: String, of entity: String, columns: [String]) throws -> any MigrationTarget {
    try willWrite()
    return FileTarget(
      connection, table: table, entity: entity, columns: columns,
      numberedID: try shape(of: table)?.numberedID, isOwn: try isOwn(table))
  }

  func replacement(of table: String) throws -> any MigrationTarget {
    try willWrite()
    return FileTarget(
      connection, table: "signalbox_rewritten \(table)", entity: table, columns: [])
  }

  func replace(_ table: String, with target: any MigrationTarget) throws {
    guard let target = target as? FileTarget, let shape = try shape(of: table) else { return }
    try NotedIDs.noteRows(of: shape, connection)
    try dropTriggers(of: table)
    if target.isEmpty {
      try connection.stepWatch.checkTrees()
      try connection.execute("DELETE FROM \(shape.quotedName)")
    } else {
      try replace(table, with: target.table)
    }
  }

  func discard(_ target: any MigrationTarget) {
    guard let target = target as? FileTarget else { return }
    try? connection.execute("DROP TABLE IF EXISTS \(SQL.quoted(target.table))")
  }

  func drop(_ table: String) throws {
    guard let shape = try shape(of: table) else { return }
    try NotedIDs.noteRows(of: shape, connection)
    try dropTable(table)
  }
}

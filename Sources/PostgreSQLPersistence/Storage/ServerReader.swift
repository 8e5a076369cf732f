#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A reader of one connection, inside a transaction that its owner opens and ends.
class ServerReader: ExternalChangeReader {
  final let connection: ServerConnection
  final var number: Int64
  /// The token of that version.
  final var token: Int64
  private var time = ReadingTime()

  init(_ connection: ServerConnection) throws {
    self.connection = connection
    let newest = try connection.run(ServerLayout.newestSQL, [])
    number = newest.rowCount == 0 ? 0 : newest.integer(0, 0)
    token = newest.rowCount == 0 ? 0 : newest.integer(0, 1)
  }

  /// Ends the time in which the reader may be used.
  ///
  /// Its connection belongs to another reader then, on another thread.
  final func end() { time.end() }

  final func check() { time.check() }

  /// - Throws: ``/EntityStore/StoreError/unknownEntity(_:)``.
  private func check(_ entity: EntityDescription) throws {
    time.check()
    guard connection.known.contains(entity) else { throw StoreError.unknownEntity(entity.name) }
  }

  var version: Int64 {
    check()
    return number
  }

  var externalChangeReader: (any ExternalChangeReader)? { self }

  // The tables' rows have no numbers that stay.
  var rowNumberReader: (any RowNumberReader)? { nil }

  var sqlReader: (any SQLReader)? { nil }

  // MARK: Objects

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    try check(entity)
    if ServerText.hasNUL(id) { return nil }
    let identity = entity.sqlColumns(of: [entity.identity])
    let isIdentity = identity.enumerated().map { "\($1.quotedName) = $\($0 + 1)" }
      .joined(separator: " AND ")
    let found = try connection.run(
      "SELECT \(entity.quotedColumns(of: entity.columns.indices)) FROM \(entity.quotedName) WHERE \(isIdentity)",
      entity.sqlValues([id], of: [entity.identity]))
    return found.rowCount == 0 ? nil : try ServerRowShape(entity).row(found, 0)
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  {
    try check(entity)
    if values.contains(where: ServerText.hasNUL) { return [] }
    var given: [StoredValue] = []
    let tests = zip(entity.sqlColumns(of: columns), entity.sqlValues(values, of: columns)).map {
      column, value -> String in
      if value.isNull { return "\(column.quotedName) IS NULL" }
      given.append(value)
      return "\(column.quotedName) = $\(given.count)"
    }
    let found = try connection.run(
      "SELECT \(entity.quotedColumns(of: [entity.identity])) FROM \(entity.quotedName) WHERE "
        + tests.joined(separator: " AND "), given)
    let shape = ServerRowShape([entity.columns[entity.identity]])
    return (0..<found.rowCount).map { shape.values(found, $0)[0] }
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    try check(plan.entity)
    let query = SQLQuery(plan, PostgreSQLDialect())
    let readers = plan.values.map { CompiledExpression($0, of: plan.entity) }
    let checks = RelatedValueChecks(plan.values)
    let residual = query.residual.map { CompiledExpression($0, of: plan.entity) }
    let shape = ServerRowShape(plan.entity)
    let found = try connection.run(query.select.numbered, query.select.values)
    var rows: [FetchedRow] = []
    rows.reserveCapacity(found.rowCount)
    for place in 0..<found.rowCount {
      let row = try shape.row(found, place)
      guard try residual.allSatisfy({ try $0.isTrueUnchecked(of: row, reading: self) }) else {
        continue
      }
      let values = try zip(readers, query.valueColumns).map { reader, column in
        try column.map { found.value(place, $0) } ?? reader.uncheckedValue(of: row, reading: self)
      }
      try checks.check(values)
      rows.append(FetchedRow(row: row, values: values))
    }
    if query.isFinished { return rows }
    return query.isSorted ? plan.limited(rows) : try plan.sorted(rows, reading: self)
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    try check(entity)
    let scope = SQLScope(entity, PostgreSQLDialect())
    guard let filter else {
      return Int(
        clamping: try connection.run("SELECT COUNT(*) FROM \(scope.from)", []).integer(0, 0))
    }
    guard let condition = SQLTranslation(scope: scope).sayable(filter, after: 0) else {
      var query = QueryDescription(entity: entity)
      query.filter = filter
      return try fetch(FetchPlan(query)).count
    }
    let select = "SELECT COUNT(*) FROM \(scope.from) WHERE " + condition
    return Int(clamping: try connection.run(select.numbered, select.values).integer(0, 0))
  }

  func explain(_ plan: FetchPlan) throws -> QueryPlan {
    try check(plan.entity)
    let query = SQLQuery(plan, PostgreSQLDialect())
    let found = try connection.run("EXPLAIN " + query.select.numbered, query.select.values)
    return QueryPlan(
      of: plan, language: "SQL", statement: query.select.numbered,
      parameters: query.select.values, steps: (0..<found.rowCount).map { found.text($0, 0) },
      conditionsHere: query.residual, isSorted: query.isSorted,
      valuesHere: zip(plan.values, query.valueColumns).filter { $1 == nil }.map(\.0),
      isLimited: query.isFinished)
  }

  // MARK: Changes of others

  func mark(of version: Int64) throws -> StorageMark? {
    check()
    if version == number { return StorageMark(token: token) }
    let found = try connection.run(
      "SELECT token FROM signalbox_log WHERE version = $1", [.integer(version)])
    return found.rowCount == 0 ? nil : StorageMark(token: found.integer(0, 0))
  }

  func changes(since version: Int64, of entities: Set<EntityDescription>) throws -> NetChanges? {
    check()
    if number - version > Self.mostRowsRead { return nil }
    let layouts = entities.map(connection.layout(of:))
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    var objects = ChangeLogObjects(layouts)
    let found = try connection.run(
      "SELECT version, changes FROM signalbox_log WHERE version > $1 ORDER BY version",
      [.integer(version)])
    guard Int64(found.rowCount) == number - version else { return nil }
    for row in 0..<found.rowCount {
      guard found.integer(row, 0) == version + Int64(row) + 1,
        case .bytes(let bytes) = found.value(row, 1), objects.add(row: bytes)
      else { return nil }
    }
    var changes: [ObjectChange] = []
    for table in objects.tables {
      for object in table.objects {
        let new = try row(of: table.layout.entity, id: object.id)
        guard let change = try table.layout.change(of: object, to: new) else { return nil }
        changes.append(change)
      }
    }
    return NetChanges(changes)
  }

  private static let mostRowsRead: Int64 = 65_536
}
#endif

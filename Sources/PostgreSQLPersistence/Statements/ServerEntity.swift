#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

/// The statements of one connection for one entity, composed once.
///
/// They name the schema, so they don't depend on a setting of the session.
final class ServerEntity {
  let entity: EntityDescription
  let layout: ChangeLogLayout
  let idShape: SQLRowShape
  private let cells: UnsafeRowCells
  /// True while an object is made from `cells`.
  private var isMaking = false
  private let table: String
  private let columns: String

  /// The statement that finds an object by its id.
  let row: ServerStatement
  /// The statement that finds an object by its id, outside of a transaction.
  ///
  /// Its row begins with the number of times that the tables were migrated, and says whether there
  /// is an object. As migrations do, it locks that number's table first. There is no row if the
  /// server would read what was there before it got the lock.
  let rowAlone: ServerStatement
  /// The statement that finds objects by their ids, with an array for each column of it.
  let rows: ServerStatement
  /// The statement that finds the lowest and the highest value of the id's first column.
  let bounds: ServerStatement
  /// The SQL that copies new objects.
  let copying: String
  /// The statement that finds whether a policy holds for the role.
  ///
  /// The server refuses COPY then.
  let hasPolicy: ServerStatement
  /// True if the server copies new objects; nil if that isn't known.
  var mayCopy: Bool?
  /// The statement that finds an object's row number by its id.
  let number: ServerStatement
  /// The statement that finds objects' row numbers and ids by their ids, with an array for each
  /// column.
  let numbers: ServerStatement
  /// The statement that finds objects by their row numbers.
  let numberedRows: ServerStatement
  /// The statement that inserts objects, with an array for each column.
  let insertion: ServerStatement
  /// The statement that sets all attributes of objects, with an array for each column.
  let change: ServerStatement?
  /// The statements for one object, with a parameter for each column.
  let insertionOfOne: ServerStatement
  let changeOfOne: ServerStatement?
  let deletionOfOne: ServerStatement
  /// The statement that deletes objects by their ids, with an array for each column of it.
  let deletion: ServerStatement
  /// The attributes that `change` takes, the id first.
  let changedAttributes: [Int]
  /// The statement that finds the highest id, if ids are whole numbers, and the one that is noted.
  let lastID: ServerStatement?
  private var lookups: [LookupKey: ServerStatement] = [:]

  private struct LookupKey: Hashable {
    let columns: [Int]
    /// True for each table column that has to be NULL.
    let nulls: [Bool]
  }

  init(_ entity: EntityDescription, schema: String) {
    self.entity = entity
    layout = ChangeLogLayout(entity)
    idShape = SQLRowShape([entity.columns[entity.identity]])
    cells = UnsafeRowCells(entity)
    let dialect = PostgreSQLDialect(schema: schema)
    let table = dialect.table(of: entity)
    self.table = table
    let all = Array(entity.columns.indices)
    columns = entity.quotedColumns(of: all)
    let id = entity.sqlColumns(of: [entity.identity])
    let idTypes = id.map { ServerType($0.type).rawValue }
    let isID = id.enumerated().map { "\($1.quotedName) = $\($0 + 1)" }.joined(separator: " AND ")
    let number = dialect.rowNumber(of: entity)
    row = ServerStatement("SELECT \(columns) FROM \(table) WHERE \(isID)", idTypes)
    let metadata = dialect.own("signalbox_metadata")
    let columnsFound = entity.sqlColumns.map { "found.\($0.quotedName)" }.joined(separator: ", ")
    let isFound = id.enumerated().map { "found.\($1.quotedName) = $\($0 + 1)" }
      .joined(separator: " AND ")
    rowAlone = ServerStatement(
      "SELECT own.value, found.\(id[0].quotedName) IS NOT NULL, \(columnsFound) "
        + "FROM \(metadata) AS own LEFT JOIN \(table) AS found ON \(isFound) "
        + "WHERE own.name = 'generation' AND current_setting('transaction_isolation') = 'read committed'",
      idTypes)
    self.number = ServerStatement("SELECT \(number) FROM \(table) WHERE \(isID)", idTypes)
    numberedRows = ServerStatement(
      "SELECT \(number), \(columns) FROM \(table) WHERE \(number) = ANY ($1)",
      [ServerType.bigint.array])

    /// Returns `unnest` of arrays, as a table with columns `c0`, `c1` and so on.
    func unnested(_ columns: [SQLColumn]) -> String {
      let arrays = columns.enumerated().map { "$\($0 + 1)::\(ServerType($1.type).arraySQL)" }
      return "unnest(\(arrays.joined(separator: ", "))) AS given "
        + "(\(columns.indices.map { "c\($0)" }.joined(separator: ", ")))"
    }
    func arrays(_ columns: [SQLColumn]) -> [Oid] { columns.map { ServerType($0.type).array } }
    func areSame(_ columns: some Sequence<(offset: Int, element: SQLColumn)>) -> String {
      columns.map { "changed.\($1.quotedName) = given.c\($0)" }.joined(separator: " AND ")
    }
    rows = ServerStatement(
      "SELECT \(entity.sqlColumns.map { "changed.\($0.quotedName)" }.joined(separator: ", ")) "
        + "FROM \(table) AS changed JOIN \(unnested(id)) ON \(areSame(id.enumerated()))", arrays(id)
    )
    numbers = ServerStatement(
      "SELECT changed.\(number), \(id.map { "changed.\($0.quotedName)" }.joined(separator: ", ")) "
        + "FROM \(table) AS changed JOIN \(unnested(id)) ON \(areSame(id.enumerated()))", arrays(id)
    )
    bounds = ServerStatement(
      "SELECT (SELECT MIN(\(id[0].quotedName)) FROM \(table)), "
        + "(SELECT MAX(\(id[0].quotedName)) FROM \(table))")
    copying = "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)"
    hasPolicy = ServerStatement("SELECT row_security_active(\(SQL.escapedLiteral(table)))")
    func counted(
      _ write: String, _ types: [Oid], count: String = "1", there: String? = nil
    ) -> ServerStatement {
      ServerStatement(
        CountedWrite.sql(write, count: count, there: there), types, writing: entity.name)
    }
    let given = "cardinality($1)"
    insertion = counted(
      "INSERT INTO \(table) (\(columns)) SELECT * FROM \(unnested(entity.sqlColumns))",
      arrays(entity.sqlColumns), count: given)
    let areGiven = areSame(id.enumerated())
    deletion = counted(
      "DELETE FROM \(table) AS changed USING \(unnested(id)) WHERE \(areGiven)", arrays(id),
      count: given,
      there: "SELECT COUNT(*) FROM \(table) AS changed JOIN \(unnested(id)) ON \(areGiven)")
    func types(_ columns: [SQLColumn]) -> [Oid] { columns.map { ServerType($0.type).rawValue } }
    let parameters = entity.sqlColumns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    insertionOfOne = counted(
      "INSERT INTO \(table) (\(columns)) VALUES (\(parameters))", types(entity.sqlColumns))
    deletionOfOne = counted(
      "DELETE FROM \(table) WHERE \(isID)", idTypes,
      there: "SELECT COUNT(*) FROM \(table) WHERE \(isID)")
    changedAttributes = [entity.identity] + all.filter { $0 != entity.identity }
    let changed = entity.sqlColumns(of: changedAttributes)
    let settings = changed.enumerated().dropFirst(id.count)
      .map { "\($1.quotedName) = given.c\($0)" }
    let settingsOfOne = changed.enumerated().dropFirst(id.count)
      .map { "\($1.quotedName) = $\($0 + 1)" }
    changeOfOne =
      settings.isEmpty
      ? nil
      : counted(
        "UPDATE \(table) SET \(settingsOfOne.joined(separator: ", ")) WHERE \(isID)",
        types(changed))
    change =
      settings.isEmpty
      ? nil
      : counted(
        "UPDATE \(table) AS changed SET \(settings.joined(separator: ", ")) "
          + "FROM \(unnested(changed)) WHERE \(areSame(changed.enumerated().prefix(id.count)))",
        arrays(changed), count: given)
    lastID =
      entity.columns[entity.identity].type == .integer
      ? ServerStatement(
        "SELECT greatest((SELECT MAX(\(id[0].quotedName)) FROM \(table)), "
          + "(SELECT last FROM \(dialect.own("signalbox_ids")) WHERE entity = $1), 0)",
        [ServerType.text.rawValue]) : nil
  }

  /// Returns the statement that finds the ids of the objects whose attributes at `columns` are
  /// `values`, and its parameters.
  func ids(
    where columns: [Int], equal values: [StoredValue]
  ) -> (ServerStatement, UnsafeParameters) {
    let given = entity.sqlValues(values, of: columns)
    let parameters = UnsafeParameters(given.filter { !$0.isNull })
    let key = LookupKey(columns: columns, nulls: given.map(\.isNull))
    if let known = lookups[key] { return (known, parameters) }
    var types: [Oid] = []
    let tests = zip(entity.sqlColumns(of: columns), given).map { column, value -> String in
      if value.isNull { return "\(column.quotedName) IS NULL" }
      types.append(ServerType(column.type).rawValue)
      return "\(column.quotedName) = $\(types.count)"
    }
    let statement = ServerStatement(
      "SELECT \(entity.quotedColumns(of: [entity.identity])) FROM \(table) WHERE "
        + tests.joined(separator: " AND "), types)
    lookups[key] = statement
    return (statement, parameters)
  }

  func canHave(_ id: StoredValue) -> Bool { ServerText.canHave(id) && entity.canHaveID(id) }

  /// Returns the object whose columns are those of a result's row, from a column on.
  ///
  /// - Throws: ``/EntityStore/StoreError/unreadable(_:attribute:found:)``.
  func object(
    _ result: UnsafeServerResult, _ row: Int, from column: Int = 0
  ) throws -> EntityRow {
    mustHold(
      !isMaking,
      "\(entity.name) is read by code that makes a value of one of its attributes; such code must not "
        + "use the store")
    isMaking = true
    defer { isMaking = false }
    return try entity.row(cells: cells.load(result, row, from: column))
  }

  /// Returns the parameters for a statement with an array for each column of some attributes.
  func arrays(_ attributes: [Int], _ rows: [EntityRow]) -> UnsafeParameters {
    var parameters = UnsafeParameters()
    for attribute in attributes {
      append(attribute, count: rows.count, to: &parameters) { rows[$0].value(at: attribute) }
    }
    return parameters
  }

  /// Appends an array for each column of an attribute, whose values `value` returns.
  private func append(
    _ attribute: Int, count: Int, to parameters: inout UnsafeParameters,
    _ value: (Int) -> StoredValue
  ) {
    for (part, column) in entity.columns[attribute].sqlColumns.enumerated() {
      parameters.append(ServerType(column.type), count: count) { add in
        for index in 0..<count {
          let all = value(index)
          if case .list(let parts) = all { add(parts[part]) } else { add(all) }
        }
      }
    }
  }

  /// Appends an object in the form of a copy: the number of its columns, and each value.
  func copy(_ row: EntityRow, to bytes: inout ServerBytes) {
    bytes.append(Int16(entity.sqlColumns.count))
    for (attribute, column) in entity.columns.enumerated() {
      let value = row.value(at: attribute)
      if column.type == .list {
        for part in column.sqlValues(value) { bytes.appendWithLength(part) }
      } else {
        bytes.appendWithLength(value)
      }
    }
  }

  func parameters(_ attributes: [Int], _ row: EntityRow) -> UnsafeParameters {
    UnsafeParameters(entity.sqlValues(row.values(at: attributes), of: attributes))
  }

  /// Returns the parameters with the ids of objects, with an array for each column.
  func idArrays(_ ids: [StoredValue]) -> UnsafeParameters {
    var parameters = UnsafeParameters()
    append(entity.identity, count: ids.count, to: &parameters) { ids[$0] }
    return parameters
  }
}
#endif

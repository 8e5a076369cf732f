internal import SQLiteLibrary
@_spi(Storage) internal import EntityStore

extension Connection {
  /// The functions that read JSON as a table, which are SQLite's own.
  private static let jsonTables = ["json_each", "json_tree"]
  /// The result codes of a mistake in a statement or its values, and not of a fault of the file.
  private static let codesOfMistakes = [
    SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_AUTH,
  ]

  /// Returns the rows of a statement of an app, which may only read some tables.
  ///
  /// SQLite asks about each access while it prepares the statement, and while it runs. Anything but
  /// reading is refused. So is a table that the statement may not read, the library's own tables
  /// among them.
  ///
  /// - Throws: ``/EntityStore/StoreError/refusedSQL(_:reason:)``.
  func rows(of sql: SQL, tables: Set<FoldedName>) throws -> SQLRows {
    var text = sql.text
    while text.unicodeScalars.last?.properties.isWhitespace ?? false {
      text.unicodeScalars.removeLast()
    }
    let json = try jsonTables(in: text)
    let authorizer = installedAuthorizer()
    authorizer.restrict(to: tables.union(json), inFile: try tableNames())
    defer { authorizer.lift() }
    // A virtual table runs code on the contents of the file.
    let statement = try prepareReading(
      sql, text, json.isEmpty ? SQLITE_PREPARE_NO_VTAB : 0, authorizer)
    defer { statement.finalize() }
    let columns = statement.columnNames
    var rows: [[StoredValue]] = []
    do {
      try statement.run(sql.parameters) { statement in
        rows.append(columns.indices.map(statement.value))
      }
    } catch StoreError.storage(let fault)
      where Self.codesOfMistakes.contains(Int32(fault.code ?? 0))
    {
      // A function of the statement has failed, and not the file.
      throw StoreError.refusedSQL(
        sql.text,
        reason: authorizer.refusal
          ?? "\(fault.detail ?? fault.message); correct the statement or its values")
    }
    return SQLRows(columns: columns, rows: rows)
  }

  /// The authorizer stays, because SQLite prepares all statements again when one is installed.
  private func installedAuthorizer() -> ReadAuthorizer {
    if let readAuthorizer { return readAuthorizer }
    let authorizer = ReadAuthorizer()
    authorizer.install(on: handle)
    readAuthorizer = authorizer
    return authorizer
  }

  private func prepareReading(
    _ sql: SQL, _ text: String, _ flags: Int32, _ authorizer: ReadAuthorizer
  ) throws -> Statement {
    func refusal(_ reason: String) -> StoreError { .refusedSQL(sql.text, reason: reason) }
    let (code, prepared, isWhole) = prepareFirst(of: text, flags)
    if let reason = authorizer.refusal {
      sqlite3_finalize(prepared)
      throw refusal(reason)
    }
    guard code == SQLITE_OK else {
      let fault = fault(code)
      guard Self.codesOfMistakes.contains(code & 0xFF) else { throw StoreError.storage(fault) }
      throw refusal("\(fault.detail ?? fault.message); correct the statement")
    }
    guard let prepared, isWhole else {
      sqlite3_finalize(prepared)
      throw refusal("it isn't one statement; give each statement to a call of its own")
    }
    let statement = Statement(prepared, of: self)
    guard sqlite3_stmt_readonly(prepared) != 0 else {
      statement.finalize()
      throw refusal(ReadAuthorizer.onlyReads)
    }
    let count = Int(sqlite3_bind_parameter_count(prepared))
    guard count == sql.parameters.count else {
      statement.finalize()
      throw refusal(
        "it has \(count) parameters and \(sql.parameters.count) values; write values as "
          + "interpolations outside of quotes, and no ? of its own")
    }
    return statement
  }

  /// Returns the names of all tables and views of the file.
  private func tableNames() throws -> Set<FoldedName> {
    let sql = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
    return Set(try texts(sql).map { FoldedName($0) })
  }

  /// Returns the functions that read JSON and occur in a statement, unless a table of the file has
  /// that name.
  private func jsonTables(in text: String) throws -> Set<FoldedName> {
    let folded = FoldedName(text).text
    var names: Set<FoldedName> = []
    for name in Self.jsonTables where folded.contains(name) {
      let sql = "SELECT 1 FROM sqlite_schema WHERE lower(name) = ?"
      if try integer(sql, [.text(name)]) != nil { continue }
      names.insert(FoldedName(name))
      // With its first use, SQLite describes the function as a table, as if it wrote to the schema.
      var prepared: OpaquePointer?
      sqlite3_prepare_v3(handle, "SELECT 1 FROM \(name)('[]')", -1, 0, &prepared, nil)
      sqlite3_finalize(prepared)
    }
    return names
  }
}

extension Statement {
  var columnNames: [String] {
    (0..<sqlite3_column_count(handle)).map { column in
      sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
    }
  }
}

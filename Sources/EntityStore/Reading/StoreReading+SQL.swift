extension StoreReading where Self: ~Copyable {
  /// Returns the rows of a statement in SQL, for what a query can't express.
  ///
  ///     struct Sales: Decodable {
  ///       var maker: String
  ///       var total: Int
  ///     }
  ///     let sales = try store.sql(
  ///       """
  ///       SELECT \(\Car.maker) AS maker, SUM(\(\Car.price)) AS total FROM \(Car.self)
  ///       WHERE \(\Car.year) >= \(1990) GROUP BY 1 ORDER BY 2 DESC
  ///       """, as: Sales.self)
  ///
  /// A row is decoded by the names of its columns. If no column has a name in exactly the same
  /// letters, the case of ASCII letters doesn't count. A type with a single value, such as `Int`,
  /// is decoded from the first column. Values that are `Storable` are read from their stored forms,
  /// a `Date` for example. The statement sees the same version as every other read of this reader.
  ///
  /// An `ObservedValue` that reads in this way is run again when an object of one of the entities
  /// changes.
  ///
  /// - Parameters:
  ///   - sql: a literal. Its interpolated values are parameters.
  ///   - type: the type of a row.
  ///   - entities: the entities whose tables the statement may read, beside those that are
  ///     interpolated. It can also use `json_each` and `json_tree`.
  /// - Returns: the rows, in the order of the statement.
  /// - Throws: ``StoreError/refusedSQL(_:reason:)`` if it isn't a single statement that only reads
  ///   these tables, or if the store has no SQL: one in memory, or the draft of a commit. A
  ///   `DecodingError` if a row isn't one of the type. ``StoreError`` if reading fails.
  public func sql<Row: Decodable>(
    _ sql: SQL, as type: Row.Type = Row.self, reading entities: [any Entity.Type] = []
  ) throws -> [Row] {
    try withStorageReader { reader in
      guard let reader = reader.sqlReader else {
        throw StoreError.refusedSQL(
          sql.text,
          reason: "only a store in a file reads SQL, outside of a commit; write a query instead")
      }
      if sql.parameters.contains(where: \.isNaN) {
        throw StoreError.refusedSQL(sql.text, reason: "a value of it is NaN; use nil")
      }
      let found = try reader.rows(
        of: sql, reading: sql.entities + entities.map { $0.entityDescription })
      let decoder = SQLRowDecoder(columns: found.columns)
      return try found.rows.map { try decoder.decode(type, from: $0) }
    }
  }
}

extension Entity {
  fileprivate static var entityDescription: EntityDescription { schema.entity }
}

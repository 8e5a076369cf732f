/// A reader whose storage understands SQL.
///
///     guard let reader = reader.sqlReader else { … }
///     let rows = try reader.rows(of: "SELECT 1", reading: [])
@_spi(Storage) public protocol SQLReader: AnyObject {
  /// Returns the rows of a statement that only reads.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - entities: the entities whose tables it may read.
  /// - Returns: the rows, in the order of the statement.
  /// - Throws: ``StoreError/refusedSQL(_:reason:)`` if the statement isn't a single one that only
  ///   reads these tables, or ``StoreError`` if reading fails.
  func rows(of sql: SQL, reading entities: [EntityDescription]) throws -> SQLRows
}

/// The rows of a statement.
@_spi(Storage) public struct SQLRows: Sendable {
  /// The names of the columns.
  public let columns: [String]
  /// The values of each row, in the order of the columns.
  public let rows: [[StoredValue]]

  /// Creates the rows of a statement.
  public init(columns: [String], rows: [[StoredValue]]) {
    self.columns = columns
    self.rows = rows
  }
}

@_spi(Storage) extension StorageReader {
  /// The value nil, for storages without SQL.
  public var sqlReader: (any SQLReader)? { nil }
}

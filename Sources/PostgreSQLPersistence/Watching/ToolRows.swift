#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The rows that triggers have logged since a version.
struct ToolRows {
  /// The rows in the order of versions; nil if there are none, or too many.
  private let rows: UnsafeServerResult?
  private var next = 0

  /// Reads the rows in a transaction, if a tool has committed since and they are few and short.
  init(
    since version: Int64, ifNeeded isNeeded: Bool, _ connection: ServerStoreConnection,
    atMost count: Int64, bytes: Int64
  ) throws {
    guard isNeeded else {
      rows = nil
      return
    }
    let found = try connection.run(
      connection.own.toolRows,
      UnsafeParameters([.integer(version), .integer(count + 1), .integer(bytes)]))
    rows = found.rowCount > count ? nil : found
  }

  /// Merges the rows of a version, which is greater than those before.
  ///
  /// - Returns: false if they can't be read, so that nothing is known.
  mutating func add(of version: Int64, to objects: inout ChangeLogObjects) -> Bool {
    guard let rows else { return false }
    var isKnown = false
    while next < rows.rowCount, rows.integer(next, 0) <= version {
      defer { next += 1 }
      guard rows.integer(next, 0) == version, case .bytes(let content) = rows.value(next, 4) else {
        continue
      }
      let (name, wasAbsent) = (Array(rows.text(next, 1).utf8), rows.integer(next, 3) != 0)
      let signature = UInt64(bitPattern: rows.integer(next, 2))
      isKnown = true
      guard
        objects.add(
          to: name, signature: signature,
          { ToolRow.object(content, wasAbsent: wasAbsent, $0) })
      else { return false }
    }
    return isKnown
  }
}
#endif

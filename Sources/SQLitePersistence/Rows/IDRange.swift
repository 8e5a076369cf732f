@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The range from the lowest to the highest id of a table.
///
/// No object has an id outside of it.
///
/// A draft looks up each object that it is to insert, because the object might exist already. If
/// many objects are inserted, most of them at the end or into an empty table, the range saves the
/// look-ups. It holds for a write transaction, until that has written.
struct IDRange {
  private enum Bounds {
    case unknown
    case none
    case between(Int64, Int64)
  }

  /// The transaction in which the range was found.
  private var transaction = 0
  /// The number of look-ups that found no object.
  private var misses = 0
  private var bounds: Bounds?

  /// The number of look-ups without a result after which a look-up of the bounds pays.
  private static let worthwhile = 4

  /// Returns true if it is known that no object has an id.
  mutating func contain(_ id: StoredValue, in transaction: Int) -> Bool {
    guard self.transaction == transaction else {
      self = IDRange()
      self.transaction = transaction
      return false
    }
    switch bounds {
    case nil, .unknown: return false
    case .some(.none): return true
    case .between(let lowest, let highest):
      guard case .integer(let number) = id else { return false }
      return number < lowest || number > highest
    }
  }

  /// Notes an id that was looked up and not found.
  mutating func noteMiss(_ statements: EntityStatements) throws {
    misses += 1
    guard misses == Self.worthwhile else { return }
    try statements.bounds().run { statement in
      switch (statement.value(0), statement.value(1)) {
      case (.null, _): bounds = Bounds.none
      case (.integer(let lowest), .integer(let highest)): bounds = .between(lowest, highest)
      default: bounds = .unknown
      }
    }
  }
}

extension EntityDescription {
  /// SQL for the lowest and the highest value of the id's first column.
  ///
  /// An index gives both directly.
  var boundsSQL: String {
    let column = sqlColumns(of: [identity])[0].quotedName
    return
      "SELECT (SELECT MIN(\(column)) FROM \(quotedName)), (SELECT MAX(\(column)) FROM \(quotedName))"
  }
}

internal import EntityStore

/// Which ids no object of a table has: those outside the lowest and the highest.
///
/// A draft looks for each object that it is to insert, for it might be there already. Where many are
/// inserted, most of them at the end or into an empty table, this saves the looking. It holds for a
/// transaction that writes, until it has written.
struct IDRange {
  private enum Bounds {
    case unknown
    case none
    case between(Int64, Int64)
  }

  /// The transaction that this was found in.
  private var transaction = 0
  /// How often an object wasn't there.
  private var misses = 0
  private var bounds: Bounds?

  /// So many look-ups that found nothing are worth one for the bounds.
  private static let worthwhile = 4

  /// Whether an id is known to be no object's.
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

  /// Takes note of an id that was looked for in vain.
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
  /// The lowest and the highest value of the id's first column, each of which an index has at hand.
  var boundsSQL: String {
    let column = sqlColumns(of: [identity])[0].quotedName
    return
      "SELECT (SELECT MIN(\(column)) FROM \(quotedName)), (SELECT MAX(\(column)) FROM \(quotedName))"
  }
}

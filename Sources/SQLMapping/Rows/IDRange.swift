@_spi(Storage) package import EntityStore

/// The range from the lowest to the highest id of a table.
///
/// No object has an id outside of it.
///
/// A draft looks up each object that it is to insert, because the object might exist already. If
/// many objects are inserted, most of them at the end or into an empty table, the range saves the
/// look-ups. It holds for a write transaction, until that has written.
package struct IDRange {
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

  package init() {}

  /// Returns true if it is known that no object has an id.
  package mutating func contain(_ id: StoredValue, in transaction: Int) -> Bool {
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
  ///
  /// - Parameter look: looks up the lowest and the highest id, or nil twice if there is none.
  package mutating func noteMiss(
    _ look: () throws -> (lowest: StoredValue, highest: StoredValue)
  ) rethrows {
    misses += 1
    guard misses == Self.worthwhile else { return }
    bounds =
      switch try look() {
      case (.null, _): Bounds.none
      case (.integer(let lowest), .integer(let highest)): .between(lowest, highest)
      default: .unknown
      }
  }
}

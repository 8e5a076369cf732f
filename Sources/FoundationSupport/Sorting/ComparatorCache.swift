internal import EntityStore
internal import Locking

/// A cache of the comparators that have been made.
///
/// Queries are equal only if they use the same comparator.
final class ComparatorCache: Sendable {
  static let shared = ComparatorCache()

  /// The key of a comparator.
  enum Key: Hashable, Sendable {
    /// A locale's order.
    case localized(String)
    /// A locale's order, with numbers by their value.
    case localizedStandard(String)
    /// The `<` of a type.
    case comparable(ObjectIdentifier)
  }

  private let comparators = Locked<[Key: any Sendable]>([:])

  /// Returns the comparator for a key, which is made the first time.
  func comparator<Value>(
    _ key: Key, _ make: () -> ValueComparator<Value>
  ) -> ValueComparator<Value> {
    let new = make()
    let kept = comparators.withLock { comparators in
      if let comparator = comparators[key] { return comparator }
      comparators[key] = new
      return new
    }
    guard let kept = kept as? ValueComparator<Value> else {
      preconditionFailure("A key names comparators of two types")
    }
    return kept
  }
}

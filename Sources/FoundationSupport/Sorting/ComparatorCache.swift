internal import EntityStore
internal import Locking

/// The comparators that have been made, since queries are equal only where they use the same one.
final class ComparatorCache: Sendable {
  static let shared = ComparatorCache()

  /// What a comparator goes by.
  enum Key: Hashable, Sendable {
    /// A locale's order.
    case localized(String)
    /// A locale's order, with numbers.
    case localizedStandard(String)
    /// The `<` of a type.
    case comparable(ObjectIdentifier)
  }

  private let comparators = Locked<[Key: any Sendable]>([:])

  /// The comparator for a key, made the first time it is asked for.
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

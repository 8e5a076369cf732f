@_spi(Storage) internal import EntityStore
internal import Locking

/// The comparators that some query uses.
///
/// Queries are equal only if they use the same comparator.
enum ComparatorCache {
  /// The key of a comparator.
  enum Key: Hashable, Sendable {
    /// A locale's order.
    case localized(String)
    /// A locale's order, with numbers by their value.
    case localizedStandard(String)
    /// The `<` of a type.
    case comparable(ObjectIdentifier)
  }

  /// Each locale that a request names has a comparator, so those in use are kept alone.
  private static let collations = WeakTable<Key, CustomCollation>()

  /// Returns the comparator for a key, which is made if no query uses one.
  static func comparator<Value>(
    _ key: Key, _ make: () -> ValueComparator<Value>
  ) -> ValueComparator<Value> {
    ValueComparator(collations.object(key) { make().collation })
  }

  /// The number of comparators in use.
  static var count: Int { collations.objects.count }
}

/// The way in which the values of several related objects become one value; nil is left out.
///
///     Query<Person>().filter { $0.cars.max { $0.year } > 1990 }  // .greatest
@_spi(Storage) public enum RelatedAggregate: Hashable, Sendable {
  /// The sum of whole numbers; 0 if there are none.
  case wholeSum
  /// The sum of numbers with a fraction, rounded once; 0 if there are none, and nil if infinities
  /// of both signs are among them.
  case realSum
  /// The average; nil if there are none.
  case average
  /// The smallest value in the order of stored forms; nil if there are none.
  case least
  /// The largest value in the order of stored forms; nil if there are none.
  case greatest
  /// All values as a list, by some keys of their objects and then by id.
  case list(by: [SortKey])
}

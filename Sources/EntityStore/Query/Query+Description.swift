// `description` is the query as data.
extension Query: CustomDebugStringConvertible {
  /// What the query asks, in one line: this is what `print` shows.
  ///
  /// For example `Car where Car.year > 1990 by Car.model ascending`.
  public var debugDescription: String { description.description }
}

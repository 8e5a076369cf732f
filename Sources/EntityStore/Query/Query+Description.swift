// `description` is the query as data.
extension Query: CustomDebugStringConvertible {
  /// The query in one line, which `print` shows.
  ///
  /// For example `Car where Car.year > 1990 by Car.model ascending`.
  public var debugDescription: String { description.description }
}

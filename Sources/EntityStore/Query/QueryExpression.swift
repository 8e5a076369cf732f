/// What a query asks of an object, as data: storages turn it into their own language.
///
/// Conditions are two-valued (S7): a step through nil is nil; nil equals only nil; ordering, text
/// and membership tests with nil are false.
public indirect enum QueryExpression: Hashable, Sendable {
  /// An attribute of the object, or of one that it refers to.
  case attribute(AttributePath)
  /// A value.
  case constant(StoredValue)
  /// A comparison of two values.
  case comparison(Comparison, QueryExpression, QueryExpression)
  /// Whether a value is among several.
  case isIn(QueryExpression, [StoredValue])
  /// Whether one text stands in another, byte for byte of what the folding leaves.
  case text(TextTest, QueryExpression, part: QueryExpression, ignoring: TextFolding)
  /// Whether all are true; with none, true.
  case and([QueryExpression])
  /// Whether one is true; with none, false.
  case or([QueryExpression])
  /// Whether it is false.
  case not(QueryExpression)
  /// How many of the objects that refer to this one meet a condition.
  case count(ManyPath, where: QueryExpression?)
}

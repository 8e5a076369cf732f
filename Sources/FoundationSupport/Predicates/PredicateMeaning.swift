@_spi(Storage) internal import EntityStore

/// The meaning of a part of a predicate in one case.
enum PredicateMeaning {
  /// The object that the query is about.
  case object
  /// An attribute of the object, or a condition.
  case expression(QueryExpression)
  /// A value that doesn't depend on the object.
  case constant(PredicateConstant)
  /// A range whose ends may depend on the object.
  indirect case range(lower: PredicateOperand, upper: PredicateOperand, isClosed: Bool)

  static var null: PredicateMeaning { .expression(.null) }

  /// The value in a query, or nil if it isn't one.
  var expression: QueryExpression? {
    switch self {
    case .expression(let expression): expression
    case .constant(let constant): constant.stored.map(QueryExpression.constant)
    case .object, .range: nil
    }
  }

  var isNil: QueryExpression { expression?.isNil ?? .never }
}

internal import EntityStore

/// What a part of a predicate is in one case.
enum PredicateMeaning {
  /// The object that the query is about.
  case object
  /// An attribute of it, or a condition.
  case expression(QueryExpression)
  /// A value that doesn't depend on the object.
  case constant(PredicateConstant)
  /// A range whose ends may depend on the object.
  indirect case range(lower: PredicateOperand, upper: PredicateOperand, isClosed: Bool)

  static var null: PredicateMeaning { .expression(.null) }

  /// The value of a query, or nil if it is none.
  var expression: QueryExpression? {
    switch self {
    case .expression(let expression): expression
    case .constant(let constant): constant.stored.map(QueryExpression.constant)
    case .object, .range: nil
    }
  }

  /// Whether it is nil.
  var isNil: QueryExpression { expression?.isNil ?? .never }
}

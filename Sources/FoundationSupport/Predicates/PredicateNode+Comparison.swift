@_spi(Storage) internal import EntityStore
internal import Foundation

extension PredicateExpressions.Equal: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(QueryTranslationError)
    -> QueryExpression
  {
    try translator.compare(.equal, lhs, rhs)
  }
}

extension PredicateExpressions.NotEqual: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(QueryTranslationError)
    -> QueryExpression
  {
    try translator.compare(.notEqual, lhs, rhs)
  }
}

extension PredicateExpressions.Comparison: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(QueryTranslationError)
    -> QueryExpression
  {
    let comparison: EntityStore.Comparison =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      }
    try translator.checkOrder(of: LHS.Output.self)
    return try translator.compare(comparison, lhs, rhs)
  }
}

extension PredicateTranslator {
  fileprivate func compare<A: PredicateExpression, B: PredicateExpression>(
    _ comparison: EntityStore.Comparison, _ a: A, _ b: B
  ) throws(QueryTranslationError) -> QueryExpression {
    try operand(a).condition(with: try operand(b)) { (x, y) throws(QueryTranslationError) in
      .compare(comparison, try expression(x, of: A.self), try expression(y, of: B.self))
    }
  }

  /// Checks that the `<` of a type is the order of its stored forms, as far as that can be known.
  func checkOrder(of type: Any.Type) throws(QueryTranslationError) {
    if StoredOrder.isOrder(of: type) { return }
    throw failure(
      "the < of \(type)",
      "where it is the order of the stored forms, write filter { $0.attribute < value }")
  }
}

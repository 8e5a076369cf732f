@_spi(Storage) internal import EntityStore
internal import Foundation

extension PredicateExpressions.Equal: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
    try translator.compare(.equal, lhs, rhs)
  }
}

extension PredicateExpressions.NotEqual: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
    try translator.compare(.notEqual, lhs, rhs)
  }
}

extension PredicateExpressions.Comparison: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
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
  ) throws(Untranslatable) -> QueryExpression {
    try operand(a).condition(with: try operand(b)) { (x, y) throws(Untranslatable) in
      let first = try expression(x, of: A.self, beside: y)
      let second = try expression(y, of: B.self, beside: x)
      if case .attribute(let one) = first, case .attribute(let other) = second,
        (one.idEntity == nil) != (other.idEntity == nil)
      {
        throw failure(
          "a comparison of an id that has parts with one that is stored as one value",
          "declare that attribute as a Ref, which has the parts, too")
      }
      return .compare(comparison, first, second)
    }
  }

  /// Checks that the `<` of a type is the order of its stored forms, as far as that can be known.
  func checkOrder(of type: Any.Type) throws(Untranslatable) {
    if StoredOrder.isOrder(of: type) { return }
    throw failure(
      "the < of \(type)",
      "where it is the order of the stored forms, write filter { $0.attribute < value }")
  }
}

@_spi(Storage) internal import EntityStore
internal import Foundation

extension PredicateExpressions.SequenceContains: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
    try translator.operand(sequence).condition(with: translator.operand(element)) {
      (sequence, element) throws(Untranslatable) in
      guard case .constant(let constant) = sequence else {
        throw translator.failure(
          "a search in an attribute that is a sequence",
          "an attribute is stored as a whole; make its elements entities of their own")
      }
      let value = try translator.expression(element, of: RHS.self)
      if let range = constant.value as? any StoredRange {
        try translator.checkOrder(of: RHS.Output.self)
        return range.contains(value)
      }
      var values: [StoredValue] = []
      for each in constant.elements ?? [] {
        guard let stored = translator.stored(each, beside: element) else {
          throw translator.failure(
            "a search for a \(RHS.Output.self)", "let that type say Storable")
        }
        values.append(stored)
      }
      return .isAmong(value, values)
    }
  }
}

extension PredicateExpressions.SequenceContainsWhere: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
    try translator.forEach(in: sequence, given: variable, test) { .any($0) }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
    try translator.forEach(in: sequence, given: variable, test) { .all($0) }
  }
}

extension PredicateTranslator {
  /// Tests each element of a constant sequence, and joins the resulting conditions into one.
  fileprivate func forEach<Elements: PredicateExpression, Element, Test: PredicateExpression>(
    in sequence: Elements, given variable: PredicateExpressions.Variable<Element>, _ test: Test,
    _ joined: ([QueryExpression]) -> QueryExpression
  ) throws(Untranslatable) -> QueryExpression {
    try operand(sequence).condition { (meaning) throws(Untranslatable) in
      guard case .constant(let constant) = meaning, let elements = constant.elements else {
        throw failure(
          "a closure about the elements of an attribute",
          "an attribute is stored as a whole; make its elements entities of their own")
      }
      var conditions: [QueryExpression] = []
      for element in elements {
        conditions.append(try giving(variable, .constant(element)).condition(test))
      }
      return joined(conditions)
    }
  }
}

@_spi(Storage) internal import EntityStore
internal import Foundation

/// A part of a predicate of a kind for which a query may have an equivalent.
protocol PredicateNode {
  func operand(in translator: PredicateTranslator) throws(Untranslatable) -> PredicateOperand
}

extension PredicateExpressions.Value: PredicateNode {
  func operand(in translator: PredicateTranslator) -> PredicateOperand {
    PredicateOperand(.constant(PredicateConstant(value)))
  }
}

extension PredicateExpressions.NilLiteral: PredicateNode {
  func operand(in translator: PredicateTranslator) -> PredicateOperand { PredicateOperand(.null) }
}

extension PredicateExpressions.Variable: PredicateNode {
  func operand(in translator: PredicateTranslator) throws(Untranslatable) -> PredicateOperand {
    guard let operand = translator.operand(of: key) else {
      throw translator.failure(
        "a variable that is none of the predicate's own", "make the predicate with #Predicate")
    }
    return operand
  }
}

extension PredicateExpressions.Conjunction: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
    let first = try translator.condition(lhs)
    // Foundation, too, evaluates the second part only if the first one is true: `d != 0 && 9 / d …`
    if first == .never { return .never }
    return .all([first, try translator.assuming(first).condition(rhs)])
  }
}

extension PredicateExpressions.Disjunction: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
    let first = try translator.condition(lhs)
    if first == .always { return .always }
    return .any([first, try translator.assuming(first.negated).condition(rhs)])
  }
}

extension PredicateExpressions.Negation: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
    try translator.condition(wrapped).negated
  }
}

extension PredicateExpressions.Conditional: PredicateNode {
  func operand(in translator: PredicateTranslator) throws(Untranslatable) -> PredicateOperand {
    let test = try translator.condition(test)
    if test == .always { return try translator.operand(trueBranch) }
    if test == .never { return try translator.operand(falseBranch) }
    let branches = try [
      (test, translator.assuming(test).operand(trueBranch)),
      (test.negated, translator.assuming(test.negated).operand(falseBranch)),
    ]
    return PredicateOperand(
      branches.flatMap { condition, branch in
        branch.cases.map {
          PredicateOperand.Case(condition: .all([condition, $0.condition]), meaning: $0.meaning)
        }
      })
  }
}

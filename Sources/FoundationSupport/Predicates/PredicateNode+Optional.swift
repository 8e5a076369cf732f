internal import EntityStore
internal import Foundation

extension PredicateExpressions.OptionalFlatMap: PredicateNode {
  func operand(in translator: PredicateTranslator) throws(Untranslatable) -> PredicateOperand {
    try translator.operand(wrapped).flatMap { (each) throws(Untranslatable) in
      let isNil = each.meaning.isNil
      let none = PredicateOperand.Case(condition: isNil, meaning: .null)
      if isNil == .always { return PredicateOperand([none]) }
      let inner = translator.assuming(each.condition).assuming(isNil.negated)
      let some = try inner.giving(variable, each.meaning).operand(transform).cases.map {
        PredicateOperand.Case(condition: .all([isNil.negated, $0.condition]), meaning: $0.meaning)
      }
      return PredicateOperand(some + [none])
    }
  }
}

extension PredicateExpressions.NilCoalesce: PredicateNode {
  func operand(in translator: PredicateTranslator) throws(Untranslatable) -> PredicateOperand {
    try translator.operand(lhs).flatMap { (each) throws(Untranslatable) in
      let isNil = each.meaning.isNil
      let value = PredicateOperand.Case(condition: isNil.negated, meaning: each.meaning)
      if isNil == .never { return PredicateOperand([value]) }
      let inner = translator.assuming(each.condition).assuming(isNil)
      let others = try inner.operand(rhs).cases.map {
        PredicateOperand.Case(condition: .all([isNil, $0.condition]), meaning: $0.meaning)
      }
      return PredicateOperand([value] + others)
    }
  }
}

extension PredicateExpressions.ForcedUnwrap: PredicateNode {
  func operand(in translator: PredicateTranslator) throws(Untranslatable) -> PredicateOperand {
    let operand = try translator.operand(inner)
    for each in operand.cases {
      let isThere = each.meaning.isNil.negated
      if translator.assuming(each.condition).isKnown(isThere) { continue }
      throw translator.failure(
        "an ! on what may be nil",
        "ask first, $0.note != nil && $0.note! == …, or write if let, or ??")
    }
    return operand
  }
}

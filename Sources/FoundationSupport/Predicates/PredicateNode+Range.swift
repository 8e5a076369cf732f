@_spi(Storage) internal import EntityStore
internal import Foundation

extension PredicateExpressions.Range: PredicateNode {
  func operand(in translator: PredicateTranslator) throws(Untranslatable) -> PredicateOperand {
    PredicateOperand(
      .range(
        lower: try translator.operand(lower), upper: try translator.operand(upper), isClosed: false)
    )
  }
}

extension PredicateExpressions.ClosedRange: PredicateNode {
  func operand(in translator: PredicateTranslator) throws(Untranslatable) -> PredicateOperand {
    PredicateOperand(
      .range(
        lower: try translator.operand(lower), upper: try translator.operand(upper), isClosed: true))
  }
}

extension PredicateExpressions.RangeExpressionContains: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
    try translator.checkOrder(of: Element.Output.self)
    return try translator.operand(range).condition(with: translator.operand(element)) {
      (range, element) throws(Untranslatable) in
      let value = try translator.expression(element, of: Element.self)
      switch range {
      case .range(let lower, let upper, let isClosed):
        let isAfter = try lower.condition { (lower) throws(Untranslatable) in
          .compare(.greaterOrEqual, value, try translator.expression(lower, of: Element.self))
        }
        let isBefore = try upper.condition { (upper) throws(Untranslatable) in
          .compare(
            isClosed ? .lessOrEqual : .less, value,
            try translator.expression(upper, of: Element.self))
        }
        return .all([isAfter, isBefore])
      case .constant(let constant):
        guard let range = constant.value as? any StoredRange else {
          throw translator.unknown(Self.self)
        }
        return range.contains(value)
      case .object, .expression:
        throw translator.unknown(Self.self)
      }
    }
  }
}

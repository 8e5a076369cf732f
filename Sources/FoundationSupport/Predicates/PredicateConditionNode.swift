@_spi(Storage) internal import EntityStore
internal import Foundation

/// A part of a predicate that is true or false.
protocol PredicateConditionNode: PredicateNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression
}

extension PredicateConditionNode {
  func operand(in translator: PredicateTranslator) throws(Untranslatable) -> PredicateOperand {
    PredicateOperand(.expression(try condition(in: translator)))
  }
}

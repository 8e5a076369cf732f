@_spi(Storage) internal import EntityStore
internal import Foundation

extension PredicateExpressions.SequenceStartsWith: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
    try translator.find(.prefix, prefix, in: base)
  }
}

extension PredicateExpressions.CollectionContainsCollection: PredicateConditionNode {
  func condition(in translator: PredicateTranslator) throws(Untranslatable) -> QueryExpression {
    try translator.find(.infix, other, in: base)
  }
}

extension PredicateTranslator {
  /// Returns the condition that one text occurs in another one.
  fileprivate func find<Sought: PredicateExpression, Text: PredicateExpression>(
    _ test: TextTest, _ sought: Sought, in text: Text
  ) throws(Untranslatable) -> QueryExpression {
    guard Text.Output.self is String.Type, Sought.Output.self is String.Type else {
      throw failure(
        "a search in an attribute that isn't text",
        "an attribute is stored as a whole; compare it with ==")
    }
    return try operand(text).condition(with: operand(sought)) {
      (text, sought) throws(Untranslatable) in
      .text(
        test, try expression(text, of: Text.self), part: try expression(sought, of: Sought.self),
        ignoring: [])
    }
  }
}

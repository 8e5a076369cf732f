@_spi(Storage) internal import EntityStore
internal import Foundation

extension PredicateTranslator {
  func failure(_ part: String, _ advice: String) -> QueryTranslationError {
    QueryTranslationError(entity: entity.name, part: part, advice: advice)
  }

  /// Returns the error for a part of a kind that no query supports.
  func unknown<Part: PredicateExpression>(_ part: Part.Type) -> QueryTranslationError {
    // This compares names, because some kinds exist only on Apple's systems.
    let name = "\(part)".prefix { $0 != "<" }
    switch name {
    case "Arithmetic", "IntDivision", "IntRemainder", "FloatDivision", "UnaryMinus":
      return failure(
        "arithmetic on attributes",
        "write a condition in braces: filter { $0.price * 2 > 10 }")
    case "StringLocalizedStandardContains", "StringCaseInsensitiveCompare",
      "StringLocalizedCompare":
      return failure(
        "a comparison of text by locale",
        "write a condition without one: "
          + "filter { $0.name.contains(\"a\", ignoring: [.case, .diacritics]) }")
    case "StringContainsRegex":
      return failure("a regular expression", "filter what the query gives")
    case "PredicateEvaluate", "ExpressionEvaluate":
      return failure(
        "a predicate in another", "filter by one after the other: filter(first).filter(second)")
    case "ConditionalCast", "ForceCast", "TypeCheck":
      return failure("a cast of an attribute", "compare it as the type that it is")
    default:
      return failure("\(name) on an attribute", "keep the result as an attribute of its own")
    }
  }
}

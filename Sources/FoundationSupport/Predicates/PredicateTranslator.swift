@_spi(Storage) internal import EntityStore
internal import Foundation

/// A translator from the parts of a predicate to those of a query.
struct PredicateTranslator {
  typealias Failure = QueryTranslationError

  let entity: EntityDescription
  /// The meanings of the predicate's variables: the object, and the arguments of closures.
  private var variables: [PredicateExpressions.VariableID: PredicateOperand]
  /// The variables among them that are constants, with their values.
  private var bindings = PredicateBindings()
  /// The conditions that are true wherever the current part is evaluated.
  private var facts: Set<QueryExpression> = []
  private let storeID: (Any) -> StoredValue?

  init<Root: Entity>(_ variable: PredicateExpressions.Variable<Root>) {
    entity = Root.schema.entity
    variables = [variable.key: PredicateOperand(.object)]
    storeID = { ($0 as? Root.ID).map(Root.schema.stored) }
  }

  // MARK: Parts

  /// Returns the meaning of a part.
  func operand<Part: PredicateExpression>(_ part: Part) throws(Failure) -> PredicateOperand {
    do throws(Failure) {
      guard let node = part as? any PredicateNode else { throw unknown(Part.self) }
      return try node.operand(in: self)
    } catch {
      // A part that doesn't read the object needs no equivalent.
      guard let value = try? part.evaluate(bindings) else { throw error }
      return PredicateOperand(.constant(PredicateConstant(value)))
    }
  }

  /// Returns the condition that a part is true.
  func condition<Part: PredicateExpression>(_ part: Part) throws(Failure) -> QueryExpression {
    try operand(part).condition { (meaning) throws(Failure) in
      switch try expression(meaning, of: Part.self) {
      case .constant(let value): .truth(value.isTrue)
      case let condition: condition
      }
    }
  }

  /// Returns the expression of a query for a meaning.
  func expression<Part: PredicateExpression>(
    _ meaning: PredicateMeaning, of part: Part.Type
  ) throws(Failure) -> QueryExpression {
    if let expression = meaning.expression { return expression }
    if case .constant(let constant) = meaning, let stored = stored(constant) {
      return .constant(stored)
    }
    if case .object = meaning {
      throw failure("the object as a value", "compare its id: $0.id == …")
    }
    throw failure(
      "a value of type \(Part.Output.self)",
      "an attribute's type and what is compared with it say Storable")
  }

  /// Returns the stored form of a constant, if it has one.
  func stored(_ constant: PredicateConstant) -> StoredValue? {
    // A composite id has a stored form only in its entity.
    constant.stored ?? storeID(constant.value)
  }

  // MARK: Known conditions

  func operand(of variable: PredicateExpressions.VariableID) -> PredicateOperand? {
    variables[variable]
  }

  /// Returns the translator for a closure whose argument is `meaning`.
  func giving<Value>(
    _ variable: PredicateExpressions.Variable<Value>, _ meaning: PredicateMeaning
  ) -> PredicateTranslator {
    var inner = self
    inner.variables[variable.key] = PredicateOperand(meaning)
    if case .constant(let constant) = meaning, let value = constant.value as? Value {
      inner.bindings[variable] = value
    }
    return inner
  }

  /// Returns the translator for a part that is evaluated only where `condition` is true.
  func assuming(_ condition: QueryExpression) -> PredicateTranslator {
    var inner = self
    inner.facts.formUnion(condition.conjuncts)
    return inner
  }

  /// Returns whether a condition is true wherever the current part is evaluated.
  func isKnown(_ condition: QueryExpression) -> Bool {
    condition == .always || facts.contains(condition)
  }
}

internal import EntityStore
internal import Foundation

/// Turns the parts of a predicate into those of a query.
struct PredicateTranslator {
  typealias Failure = QueryTranslationError

  let entity: EntityDescription
  /// What the predicate's variables stand for: the object, and what closures are given.
  private var variables: [PredicateExpressions.VariableID: PredicateOperand]
  /// The variables among them that are constants, with their values.
  private var bindings = PredicateBindings()
  /// What is true wherever the part in hand is looked at.
  private var facts: Set<QueryExpression> = []
  private let storeID: (Any) -> StoredValue?

  init<Root: Entity>(_ variable: PredicateExpressions.Variable<Root>) {
    entity = Root.schema.entity
    variables = [variable.key: PredicateOperand(.object)]
    storeID = { ($0 as? Root.ID).map(Root.schema.stored) }
  }

  // MARK: Parts

  /// What a part is.
  func operand<Part: PredicateExpression>(_ part: Part) throws(Failure) -> PredicateOperand {
    do throws(Failure) {
      guard let node = part as? any PredicateNode else { throw unknown(Part.self) }
      return try node.operand(in: self)
    } catch {
      // What doesn't read the object needs no equivalent.
      guard let value = try? part.evaluate(bindings) else { throw error }
      return PredicateOperand(.constant(PredicateConstant(value)))
    }
  }

  /// Whether a part is true.
  func condition<Part: PredicateExpression>(_ part: Part) throws(Failure) -> QueryExpression {
    try operand(part).condition { (meaning) throws(Failure) in
      switch try expression(meaning, of: Part.self) {
      case .constant(let value): .truth(value.isTrue)
      case let condition: condition
      }
    }
  }

  /// What a meaning is in a query.
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

  /// The stored form of a constant, if it has one.
  func stored(_ constant: PredicateConstant) -> StoredValue? {
    // A composite id has one in its entity only.
    constant.stored ?? storeID(constant.value)
  }

  // MARK: What is known

  func operand(of variable: PredicateExpressions.VariableID) -> PredicateOperand? {
    variables[variable]
  }

  /// The translator for a closure that is given `meaning`.
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

  /// The translator for a part that is looked at only where `condition` is true.
  func assuming(_ condition: QueryExpression) -> PredicateTranslator {
    var inner = self
    inner.facts.formUnion(condition.conjuncts)
    return inner
  }

  /// Whether a condition is true wherever the part in hand is looked at.
  func isKnown(_ condition: QueryExpression) -> Bool {
    condition == .always || facts.contains(condition)
  }
}

@_spi(Storage) internal import EntityStore
internal import Foundation

/// A translator from the parts of a predicate to those of a query.
struct PredicateTranslator {
  let entity: EntityDescription
  /// The meanings of the predicate's variables: the object, and the arguments of closures.
  private var variables: [PredicateExpressions.VariableID: PredicateOperand]
  /// The variables among them that are constants, with their values.
  private var bindings = PredicateBindings()
  /// The conditions that are true wherever the current part is evaluated.
  private var facts: Set<QueryExpression> = []

  init<Root: Entity>(_ variable: PredicateExpressions.Variable<Root>) {
    entity = Root.schema.entity
    variables = [variable.key: PredicateOperand(.object)]
  }

  // MARK: Parts

  func operand<Part: PredicateExpression>(_ part: Part) throws(Untranslatable) -> PredicateOperand {
    do throws(Untranslatable) {
      guard let node = part as? any PredicateNode else { throw unknown(Part.self) }
      return try node.operand(in: self)
    } catch {
      // A part that doesn't read the object needs no equivalent.
      guard let value = try? part.evaluate(bindings) else { throw error }
      return PredicateOperand(.constant(PredicateConstant(value)))
    }
  }

  func condition<Part: PredicateExpression>(_ part: Part) throws(Untranslatable) -> QueryExpression
  {
    try operand(part).condition { (meaning) throws(Untranslatable) in
      switch try expression(meaning, of: Part.self) {
      case .constant(let value): .truth(value.isTrue)
      case let condition: condition
      }
    }
  }

  /// Returns the value in a query of a meaning that may be compared with another one.
  func expression<Part: PredicateExpression>(
    _ meaning: PredicateMeaning, of part: Part.Type, beside other: PredicateMeaning? = nil
  ) throws(Untranslatable) -> QueryExpression {
    if case .constant(let constant) = meaning, let stored = stored(constant, beside: other) {
      return .constant(stored)
    }
    if let expression = meaning.expression { return expression }
    if case .object = meaning {
      throw failure("the object as a value", "compare its id: $0.id == …")
    }
    throw failure(
      "a value of type \(Part.Output.self)",
      "an attribute's type and what is compared with it say Storable")
  }

  /// Returns the stored form of a constant that may be compared with another meaning.
  ///
  /// An id with parts has one in its entity, and a second one if it is storable, too. An attribute
  /// beside it decides which one counts.
  func stored(_ constant: PredicateConstant, beside other: PredicateMeaning?) -> StoredValue? {
    if case .expression(.attribute(let path))? = other,
      let stored = path.idEntity?.storedID(of: constant.value)
    {
      return stored
    }
    if let stored = constant.stored { return stored }
    let targets = entity.references.compactMap { entity.columns[$0].reference?.target }
    return ([entity] + targets).lazy.compactMap { $0.storedID(of: constant.value) }.first
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

extension AttributePath {
  /// The entity whose ids the attribute holds as their parts, or nil if it holds other values.
  var idEntity: EntityDescription? {
    let column = target.columns[column]
    if part != nil || column.type != .list { return nil }
    return column.reference?.target ?? target
  }
}

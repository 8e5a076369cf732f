internal import EntityStore

/// What a part of a predicate is, case by case: in each object one of the conditions is true.
///
/// `$0.note ?? "none"` is the attribute where that isn't nil, and the constant where it is. A query
/// has no such values, only conditions; a condition about the part is one about each case.
struct PredicateOperand {
  struct Case {
    var condition: QueryExpression
    var meaning: PredicateMeaning
  }

  let cases: [Case]

  /// The same in every object.
  init(_ meaning: PredicateMeaning) {
    cases = [Case(condition: .always, meaning: meaning)]
  }

  /// - Parameter cases: of which those that are never true are left out.
  init(_ cases: [Case]) {
    self.cases = cases.filter { $0.condition != .never }
  }

  /// The operand that a transformation of each case gives, where the case is true.
  func flatMap<Failure: Error>(
    _ transform: (Case) throws(Failure) -> PredicateOperand
  ) throws(Failure) -> PredicateOperand {
    var result: [Case] = []
    for outer in cases {
      for inner in try transform(outer).cases {
        result.append(
          Case(condition: .all([outer.condition, inner.condition]), meaning: inner.meaning))
      }
    }
    return PredicateOperand(result)
  }

  /// The condition that a test of each case gives.
  func condition<Failure: Error>(
    _ test: (PredicateMeaning) throws(Failure) -> QueryExpression
  ) throws(Failure) -> QueryExpression {
    var conditions: [QueryExpression] = []
    for each in cases { conditions.append(.all([each.condition, try test(each.meaning)])) }
    return .any(conditions)
  }

  /// The condition that a test of each pair of cases gives.
  func condition<Failure: Error>(
    with other: PredicateOperand,
    _ test: (PredicateMeaning, PredicateMeaning) throws(Failure) -> QueryExpression
  ) throws(Failure) -> QueryExpression {
    try condition { (a) throws(Failure) in
      try other.condition { (b) throws(Failure) in try test(a, b) }
    }
  }
}

/// What a part of a predicate is in one case.
enum PredicateMeaning {
  /// The object that the query is about.
  case object
  /// An attribute of it, or a condition.
  case expression(QueryExpression)
  /// A value that doesn't depend on the object.
  case constant(PredicateConstant)
  /// A range whose ends may depend on the object.
  indirect case range(lower: PredicateOperand, upper: PredicateOperand, isClosed: Bool)

  static var null: PredicateMeaning { .expression(.null) }

  /// The value of a query, or nil if it is none.
  var expression: QueryExpression? {
    switch self {
    case .expression(let expression): expression
    case .constant(let constant): constant.stored.map(QueryExpression.constant)
    case .object, .range: nil
    }
  }

  /// Whether it is nil.
  var isNil: QueryExpression { expression?.isNil ?? .never }
}

/// A value that a predicate has captured or computed.
struct PredicateConstant {
  /// The value, out of its optional.
  let value: Any
  /// The stored form, if its type has one; that of nil always.
  let stored: StoredValue?

  init<Value>(_ value: Value) {
    let type = Value.self as? any OptionalValue.Type
    let content = type.map { $0.content(of: value) } ?? value
    self.value = content ?? value
    stored = content == nil ? .null : (content as? any Storable)?.storedValue
  }

  /// The elements, if it is a sequence.
  var elements: [PredicateConstant]? {
    func elements(_ sequence: some Sequence) -> [PredicateConstant] {
      sequence.map { PredicateConstant($0) }
    }
    return (value as? any Sequence).map { elements($0) }
  }
}

@_spi(Storage) internal import EntityStore

/// The meaning of a part of a predicate, case by case: in each object, one of the conditions is
/// true.
///
/// `$0.note ?? "none"` is the attribute if that isn't nil, and the constant if it is. A query has
/// no such values, only conditions. So a condition about the part becomes a condition about each
/// case.
struct PredicateOperand {
  struct Case {
    var condition: QueryExpression
    var meaning: PredicateMeaning
  }

  let cases: [Case]

  /// Creates an operand with the same meaning in every object.
  init(_ meaning: PredicateMeaning) {
    cases = [Case(condition: .always, meaning: meaning)]
  }

  /// Creates an operand of several cases, without those that are never true.
  init(_ cases: [Case]) {
    self.cases = cases.filter { $0.condition != .never }
  }

  /// Returns the operand that a transformation of each case gives, where the case is true.
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

  /// Returns the condition that a test of each case gives.
  func condition<Failure: Error>(
    _ test: (PredicateMeaning) throws(Failure) -> QueryExpression
  ) throws(Failure) -> QueryExpression {
    var conditions: [QueryExpression] = []
    for each in cases { conditions.append(.all([each.condition, try test(each.meaning)])) }
    return .any(conditions)
  }

  /// Returns the condition that a test of each pair of cases gives.
  func condition<Failure: Error>(
    with other: PredicateOperand,
    _ test: (PredicateMeaning, PredicateMeaning) throws(Failure) -> QueryExpression
  ) throws(Failure) -> QueryExpression {
    try condition { (a) throws(Failure) in
      try other.condition { (b) throws(Failure) in try test(a, b) }
    }
  }
}

@_spi(Storage) internal import EntityStore

/// Conditions in a form that is as simple as possible, so that storages recognise them.
extension QueryExpression {
  static let always = QueryExpression.and([])
  static let never = QueryExpression.or([])
  static let null = QueryExpression.constant(.null)

  static func truth(_ truth: Bool) -> QueryExpression { truth ? always : never }

  static func all(_ parts: some Sequence<QueryExpression>) -> QueryExpression {
    var all: [QueryExpression] = []
    var seen: Set<QueryExpression> = []
    for part in parts {
      if part == .never { return .never }
      for part in part.conjuncts where seen.insert(part).inserted { all.append(part) }
    }
    return all.count == 1 ? all[0] : .and(all)
  }

  static func any(_ parts: some Sequence<QueryExpression>) -> QueryExpression {
    var any: [QueryExpression] = []
    var seen: Set<QueryExpression> = []
    for part in parts {
      if part == .always { return .always }
      let disjuncts = if case .or(let parts) = part { parts } else { [part] }
      for part in disjuncts where seen.insert(part).inserted { any.append(part) }
    }
    return any.count == 1 ? any[0] : .or(any)
  }

  var negated: QueryExpression {
    switch self {
    case .and(let parts) where parts.isEmpty: .never
    case .or(let parts) where parts.isEmpty: .always
    // It is taken apart, so that the conditions that follow from it are found.
    case .or(let parts): .all(parts.map(\.negated))
    case .comparison(.equal, let a, let b): .comparison(.notEqual, a, b)
    case .comparison(.notEqual, let a, let b): .comparison(.equal, a, b)
    case .not(let part): part
    default: .not(self)
    }
  }

  /// A value of a predicate is an attribute of the object itself, a constant or a condition.
  var isNil: QueryExpression {
    switch self {
    case .attribute(let path) where path.part == nil && path.target.columns[path.column].isOptional:
      .comparison(.equal, self, .null)
    case .constant(let value): .truth(value.isNull)
    default: .never
    }
  }

  /// True if this is a condition: true or false, and never nil.
  var isCondition: Bool {
    switch self {
    case .attribute, .constant, .count: false
    default: true
    }
  }

  /// Returns the comparison of two values, with the constant second.
  static func compare(
    _ comparison: Comparison, _ a: QueryExpression, _ b: QueryExpression
  ) -> QueryExpression {
    switch (a, b) {
    case (.constant(let a), .constant(let b)): return .truth(comparison.holds(a, b))
    case (.constant, _): return compare(comparison.mirrored, b, a)
    case (_, .constant(.null)) where comparison == .equal: return a.isNil
    case (_, .constant(.null)) where comparison == .notEqual: return a.isNil.negated
    case (_, .constant(let value)) where value.isNaN: return .truth(comparison.holdsOfNaN(a))
    case (_, .constant(let value)) where a.isCondition && comparison == .equal:
      return value.isTrue ? a : a.negated
    case (_, .constant(let value)) where a.isCondition && comparison == .notEqual:
      return value.isTrue ? a.negated : a
    default: return .comparison(comparison, a, b)
    }
  }

  /// Returns the condition that a value is one of several, in which nil equals nil.
  static func isAmong(_ value: QueryExpression, _ values: [StoredValue]) -> QueryExpression {
    // The values are sorted and unique, so that equal sets make equal queries. Nothing equals NaN.
    let others = Set(values).filter { !$0.isNull && !$0.isNaN }.sorted()
    if case .constant(let value) = value { return .truth(values.contains(value)) }
    let isOther: QueryExpression =
      switch others.count {
      case 0: .never
      case 1: compare(.equal, value, .constant(others[0]))
      default: .isIn(value, others)
      }
    return values.contains(where: \.isNull) ? any([isOther, value.isNil]) : isOther
  }
}

extension Comparison {
  /// The comparison with the same meaning when its sides are exchanged.
  fileprivate var mirrored: Comparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  fileprivate func holds(_ a: StoredValue, _ b: StoredValue) -> Bool {
    switch self {
    case .equal: return a == b
    case .notEqual: return a != b
    default: break
    }
    if a.isNull || b.isNull { return false }
    // The NaN of a decimal number, which is text, comes before all others.
    if case (.real, .real) = (a, b), a.isNaN || b.isNaN { return false }
    return switch self {
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    default: a >= b
    }
  }

  /// Returns whether the comparison holds for a value that isn't nil and for NaN.
  ///
  /// NaN comes before every decimal number. It comes neither before nor after any other value.
  fileprivate func holdsOfNaN(_ value: QueryExpression) -> Bool {
    if self == .notEqual { return true }
    guard case .attribute(let path) = value, path.target.columns[path.column].type == .text else {
      return false
    }
    return self == .greater || self == .greaterOrEqual
  }
}

extension StoredValue {
  /// True if this is NaN, which no storage takes.
  var isNaN: Bool {
    if case .real(let number) = self { number.isNaN } else { false }
  }
}

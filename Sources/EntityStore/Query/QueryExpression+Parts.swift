extension QueryExpression {
  /// The conditions that all have to hold.
  ///
  /// Each call of `filter` makes a conjunction around the one before, and so does a `&&` at whose
  /// right side there is one.
  package var conjuncts: [QueryExpression] {
    guard case .and(let parts) = self else { return [self] }
    return parts.flatMap(\.conjuncts)
  }

  /// True if a part adds up whole numbers of several objects.
  var hasWholeSums: Bool {
    var hasSums = false
    forEachPart { part, _ in
      switch part {
      case .related(.wholeSum, _, _, _), .related(.average, _, _, _): hasSums = true
      default: break
      }
    }
    return hasSums
  }

  /// Calls `body` with the expression and each of its parts, also those about other objects.
  ///
  /// A part about other objects comes with the paths that lead to them, one after another.
  func forEachPart(
    through way: [ManyPath] = [], _ body: (QueryExpression, _ way: [ManyPath]) throws -> Void
  ) rethrows {
    try body(self, way)
    switch self {
    case .attribute, .constant, .moment, .matches, .rank: break
    case .comparison(_, let a, let b), .text(_, let a, let b, _):
      try a.forEachPart(through: way, body)
      try b.forEachPart(through: way, body)
    case .isIn(let part, _), .not(let part): try part.forEachPart(through: way, body)
    case .and(let parts), .or(let parts), .computed(_, let parts):
      for part in parts { try part.forEachPart(through: way, body) }
    case .count(let path, let condition):
      try condition?.forEachPart(through: way + [path], body)
    case .related(let aggregate, let path, let value, let condition):
      let way = way + [path]
      try value.forEachPart(through: way, body)
      try condition?.forEachPart(through: way, body)
      if case .list(let order) = aggregate {
        for key in order { try key.expression.forEachPart(through: way, body) }
      }
    }
  }
}

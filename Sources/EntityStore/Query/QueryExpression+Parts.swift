extension QueryExpression {
  /// True if a part adds up whole numbers of several objects.
  var hasWholeSums: Bool {
    var hasSums = false
    forEachPart { part in
      switch part {
      case .related(.wholeSum, _, _, _), .related(.average, _, _, _): hasSums = true
      default: break
      }
    }
    return hasSums
  }

  /// Calls `body` with the expression and each of its parts, also those about other objects.
  func forEachPart(_ body: (QueryExpression) -> Void) {
    body(self)
    switch self {
    case .attribute, .constant, .moment, .matches, .rank: break
    case .comparison(_, let a, let b), .text(_, let a, let b, _):
      a.forEachPart(body)
      b.forEachPart(body)
    case .isIn(let part, _), .not(let part): part.forEachPart(body)
    case .and(let parts), .or(let parts), .computed(_, let parts):
      for part in parts { part.forEachPart(body) }
    case .count(_, let condition): condition?.forEachPart(body)
    case .related(let aggregate, _, let value, let condition):
      value.forEachPart(body)
      condition?.forEachPart(body)
      if case .list(let order) = aggregate {
        for key in order { key.expression.forEachPart(body) }
      }
    }
  }
}

extension QueryExpression {
  /// Calls `body` with each part that reads objects other than the query's own.
  package func forEachForeignPart(_ body: (QueryExpression) -> Void) {
    switch self {
    case .attribute(let path): if !path.steps.isEmpty { body(self) }
    case .moment(_, let path, _): if !path.steps.isEmpty { body(.attribute(path)) }
    case .constant, .rank: break
    case .matches(let path, _): if !path.steps.isEmpty { body(self) }
    case .comparison(_, let a, let b), .text(_, let a, let b, _):
      a.forEachForeignPart(body)
      b.forEachForeignPart(body)
    case .isIn(let value, _): value.forEachForeignPart(body)
    case .and(let parts), .or(let parts), .computed(_, let parts):
      for part in parts { part.forEachForeignPart(body) }
    case .not(let part): part.forEachForeignPart(body)
    case .count, .related: body(self)
    }
  }
}

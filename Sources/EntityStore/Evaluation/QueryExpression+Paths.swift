extension QueryExpression {
  /// Calls `body` with each part that reads objects other than the query's own.
  package func forEachForeignPart(_ body: (QueryExpression) -> Void) {
    forEachPart { part, way in
      // A part about other objects is inside one that `body` gets.
      guard way.isEmpty else { return }
      switch part {
      case .attribute(let path): if !path.steps.isEmpty { body(part) }
      case .moment(_, let path, _): if !path.steps.isEmpty { body(.attribute(path)) }
      case .matches(let path, _): if !path.steps.isEmpty { body(part) }
      case .count, .related: body(part)
      default: break
      }
    }
  }
}

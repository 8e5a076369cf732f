extension QueryExpression {
  /// True if a part is a condition of time.
  package var isTimed: Bool {
    var isTimed = false
    forEachPart { part, _ in if case .moment = part { isTimed = true } }
    return isTimed
  }

  /// Returns the expression at an instant, in seconds since 1970: moments become constants.
  package func pinned(at instant: Double) -> QueryExpression {
    func pinned(_ part: QueryExpression) -> QueryExpression { part.pinned(at: instant) }
    return switch self {
    case .attribute, .constant, .matches, .rank: self
    case .moment(let comparison, let path, let moment):
      .comparison(
        comparison, .attribute(path), .constant((instant + moment.secondsFromNow).storedValue))
    case .comparison(let comparison, let a, let b): .comparison(comparison, pinned(a), pinned(b))
    case .text(let test, let text, let part, let folding):
      .text(test, pinned(text), part: pinned(part), ignoring: folding)
    case .isIn(let value, let values): .isIn(pinned(value), values)
    case .not(let part): .not(pinned(part))
    case .and(let parts): .and(parts.map(pinned))
    case .or(let parts): .or(parts.map(pinned))
    case .computed(let computation, let parts): .computed(computation, parts.map(pinned))
    case .count(let path, let condition): .count(path, where: condition.map(pinned))
    case .related(let aggregate, let path, let value, let condition):
      .related(
        aggregate.pinned(at: instant), path, of: pinned(value), where: condition.map(pinned))
    }
  }
}

extension RelatedAggregate {
  fileprivate func pinned(at instant: Double) -> RelatedAggregate {
    guard case .list(let order) = self else { return self }
    return .list(by: order.map { $0.pinned(at: instant) })
  }
}

extension SortKey {
  package func pinned(at instant: Double) -> SortKey {
    SortKey(
      expression.pinned(at: instant), isAscending: isAscending, nilsFirst: nilsFirst,
      collation: collation)
  }
}

extension QueryDescription {
  package var expressions: [QueryExpression] {
    [filter].compactMap { $0 } + fullOrder.map(\.expression) + includedComputed + aggregated
      + titles
  }

  private var titles: [QueryExpression] {
    if case .parts(_, let title, _) = sectioning { [title] } else { [] }
  }

  /// True if a part of the query is a condition of time.
  package var isTimed: Bool {
    // Most queries have no more than a filter and an order, so no list is made of them.
    filter?.isTimed ?? false || orderings.contains { $0.expression.isTimed }
      || (sectioning != nil || !includedComputed.isEmpty || !aggregated.isEmpty)
        && expressions.contains(where: \.isTimed)
  }
}

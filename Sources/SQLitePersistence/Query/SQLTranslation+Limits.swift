internal import EntityStore

// What SQLite takes: 32,766 parameters, a stack of 100 in its parser, 64 tables in one FROM. What is
// beyond is left to us.
extension SQLTranslation {
  private static let mostValues = 30_000
  /// The deepest stack that an expression may take; the SELECT around it takes the rest.
  private static let deepest = 80

  /// The test of one of so many conditions, or nil if SQL can't say it beside `count` other parameters.
  func sayable(_ condition: QueryExpression, of conditions: Int = 1, after count: Int) -> Piece? {
    sayable(condition, after: count, depth: Self.deepest - QueryExpression.pairingDepth(conditions))
    {
      test(condition)
    }
  }

  /// The value of an expression, or nil if SQL can't say it beside `count` other parameters.
  func sayable(value expression: QueryExpression, after count: Int) -> Piece? {
    sayable(expression, after: count, depth: Self.deepest) { value(expression) }
  }

  /// The terms of an ORDER BY, or nil if SQL can't say them beside `count` other parameters.
  func sayable(order key: SortKey, after count: Int) -> Piece? {
    sayable(key.expression, after: count, depth: Self.deepest) { order(key) }
  }

  private func sayable(
    _ expression: QueryExpression, after count: Int, depth: Int, _ translated: () -> Piece?
  ) -> Piece? {
    guard expression.parserDepth(within: depth) <= depth,
      let piece = scope.saying(translated), count + piece.values.count <= Self.mostValues
    else { return nil }
    return piece
  }
}

extension QueryExpression {
  /// What so many parts take: a parenthesis, the first operand and a word, once for each time that they
  /// are paired off.
  fileprivate static func pairingDepth(_ count: Int) -> Int {
    3 * (Int.bitWidth - max(0, count - 1).leadingZeroBitCount)
  }

  /// A bound of the entries that SQLite's parser has on its stack while it reads the expression, as
  /// far as it isn't beyond `limit`.
  fileprivate func parserDepth(within limit: Int) -> Int {
    if limit < 0 { return 0 }
    func deepest(_ parts: [QueryExpression], _ own: Int) -> Int {
      own + (parts.map { $0.parserDepth(within: limit - own) }.max() ?? 0)
    }
    return switch self {
    // A name, a point, a name.
    case .attribute, .constant: 3
    // COALESCE, a parenthesis, DISTINCT (which isn't there), the first operand and the operator.
    case .comparison(_, let a, let b): deepest([a, b], 5)
    case .isIn(let item, _): deepest([item], 6)
    // Three functions, one in another.
    case .text(_, let text, let part, _): deepest([text, part], 13)
    case .and(let parts), .or(let parts): deepest(parts, Self.pairingDepth(parts.count))
    case .not(let part): deepest([part], 2)
    // COALESCE, and all clauses of a SELECT.
    case .count(_, let condition): deepest(condition.map { [$0] } ?? [], 16)
    }
  }
}

@_spi(Storage) package import EntityStore

// SQLite accepts 32,766 parameters, a stack of 100 in its parser, and 64 tables in one FROM. The
// library itself evaluates anything that exceeds these limits.
extension SQLTranslation {
  static let mostValues = 30_000
  /// The deepest stack that an expression may use.
  ///
  /// The SELECT around it uses the rest.
  private static let deepest = 80

  /// Returns the test of one of several conditions that all have to hold, or nil if SQL can't
  /// express it beside `count` other parameters.
  package func expressed(_ condition: QueryExpression, of conditions: Int = 1, after count: Int)
    -> Piece?
  {
    let depth = Self.deepest - QueryExpression.pairingDepth(conditions)
    let piece = expressed(condition, after: count, depth: depth) { whereTest(condition) }
    if piece != nil { scope.require(condition.neededSteps) }
    return piece
  }

  /// Returns the value of an expression, or nil if SQL can't express it beside `count` other
  /// parameters.
  package func expressed(value expression: QueryExpression, after count: Int) -> Piece? {
    expressed(expression, after: count, depth: Self.deepest) { value(expression) }
  }

  /// Returns the terms of an ORDER BY, or nil if SQL can't express them beside `count` other
  /// parameters.
  package func expressed(order key: SortKey, after count: Int) -> Piece? {
    expressed(key.expression, after: count, depth: Self.deepest) { order(key) }
  }

  private func expressed(
    _ expression: QueryExpression, after count: Int, depth: Int, _ translated: () -> Piece?
  ) -> Piece? {
    guard expression.parserDepth(within: depth) <= depth else { return nil }
    return scope.saying(translated) { piece in
      let values = piece.values + scope.joinedValues
      return count + values.count <= Self.mostValues && values.allSatisfy(canBind)
    }
  }

  /// Returns true if a value can be a parameter, which a value of several parts can't.
  private func canBind(_ value: StoredValue) -> Bool {
    if case .list = value { return false }
    return dialect.canBind(value)
  }
}

extension QueryExpression {
  /// Returns the stack depth of `count` parts.
  ///
  /// Each time that parts are paired, it grows by a parenthesis, the first operand and a word.
  fileprivate static func pairingDepth(_ count: Int) -> Int {
    3 * (Int.bitWidth - max(0, count - 1).leadingZeroBitCount)
  }

  /// Returns an upper bound of the stack entries of SQLite's parser while it reads the expression.
  ///
  /// The bound is computed only as far as `limit`.
  fileprivate func parserDepth(within limit: Int) -> Int {
    if limit < 0 { return 0 }
    func deepest(_ parts: [QueryExpression], _ own: Int) -> Int {
      own + (parts.map { $0.parserDepth(within: limit - own) }.max() ?? 0)
    }
    return switch self {
    // A name, a dot, a name.
    case .attribute, .constant, .rank: 3
    // COALESCE, a parenthesis, DISTINCT (which isn't used), the first operand and the operator.
    case .comparison(_, let a, let b): deepest([a, b], 5)
    case .moment: 5
    // COALESCE, a list that a SELECT gives, and in its FROM the VALUES.
    case .isIn(.attribute(let path), _) where path.isComposite: 24
    case .isIn(let item, _): deepest([item], 6)
    // A range, and three functions that are nested in each other.
    case .text(_, let text, let part, _): deepest([text, part], 16)
    // A function of columns, or a list that a SELECT gives.
    case .matches: 16
    case .and(let parts), .or(let parts): deepest(parts, Self.pairingDepth(parts.count))
    case .not(let part): deepest([part], 2)
    // COALESCE, and all clauses of a SELECT.
    case .count(_, let condition): deepest(condition.map { [$0] } ?? [], 16)
    // A SELECT of a CASE, from a SELECT of an operation.
    case .computed(_, let operands): deepest(operands, 20)
    case .related(_, _, let value, let condition):
      deepest([value] + (condition.map { [$0] } ?? []), 16)
    }
  }
}

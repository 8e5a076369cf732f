@_spi(Storage) internal import EntityStore

extension SQLTranslation {
  /// Returns a value that is computed from others, or nil if SQL can't express it.
  func computed(_ computation: Computation, _ operands: [QueryExpression]) -> Piece? {
    let pieces = operands.compactMap(value)
    guard pieces.count == operands.count, let first = pieces.first else { return nil }
    switch computation {
    case .plus: return arithmetic("+", pieces)
    case .minus: return arithmetic("-", pieces)
    case .times: return arithmetic("*", pieces)
    case .dividedBy: return arithmetic("/", pieces)
    case .real: return "CAST(" + first + " AS REAL)"
    case .text: return "CAST(" + first + " AS TEXT)"
    case .joined: return "(" + first + " || " + pieces[1] + ")"
    case .firstValue: return "COALESCE(" + first + ", " + pieces[1] + ")"
    // SQL's functions of text know only the letters of ASCII, count code points, and stop at a NUL.
    case .lowercased, .uppercased, .prefix, .custom: return nil
    }
  }

  /// Returns the result of an operator, and NULL for a whole number that doesn't fit.
  ///
  /// SQLite makes such a result a number with a fraction. Then the type of the result isn't that of
  /// the first operand. The operation is in a SELECT of its own, so that it is written once. Adding
  /// 0 makes 0.0 of -0.0, as in a store.
  private func arithmetic(_ sign: String, _ operands: [Piece]) -> Piece {
    "(SELECT CASE WHEN typeof(v) = typeof(a) THEN v END FROM (SELECT a, (a \(sign) b) + 0 AS v FROM "
      + ("(SELECT " + operands[0] + " AS a, " + operands[1] + " AS b)))")
  }
}

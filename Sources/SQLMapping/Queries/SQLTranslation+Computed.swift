@_spi(Storage) package import EntityStore

extension SQLTranslation {
  /// Returns a value that is computed from others, or nil if SQL can't express it.
  package func computed(_ computation: Computation, _ operands: [QueryExpression]) -> Piece? {
    let pieces = operands.compactMap(value)
    guard pieces.count == operands.count, let first = pieces.first else { return nil }
    switch computation {
    case .plus: return dialect.arithmetic("+", pieces)
    case .minus: return dialect.arithmetic("-", pieces)
    case .times: return dialect.arithmetic("*", pieces)
    case .dividedBy: return dialect.arithmetic("/", pieces)
    case .real: return dialect.real(first)
    case .text: return dialect.text(ofNumber: first)
    case .joined: return "(" + first + " || " + pieces[1] + ")"
    case .firstValue:
      let types = operands.map(\.valueType)
      guard dialect.mixesTypes || types[0] != nil && types[0] == types[1] else { return nil }
      return "COALESCE(" + first + ", " + pieces[1] + ")"
    // SQL's functions of text know only the letters of ASCII, count code points, and stop at a NUL.
    case .lowercased, .uppercased, .prefix, .custom: return nil
    }
  }
}

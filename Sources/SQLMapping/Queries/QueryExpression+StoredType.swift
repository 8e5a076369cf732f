@_spi(Storage) package import EntityStore

extension QueryExpression {
  /// The type of the values, or nil if it isn't known from the expression alone.
  package var storedType: StoredType? {
    switch self {
    case .attribute(let path):
      let column = path.target.columns[path.column]
      return path.part.map { column.parts[$0].type } ?? column.type
    case .constant(.integer), .count: return .integer
    case .constant(.real): return .real
    case .constant(.text): return .text
    case .constant(.bytes): return .bytes
    case .related(.least, _, let value, _), .related(.greatest, _, let value, _):
      return value.storedType
    case .computed(.firstValue, let operands): return operands[0].storedType
    case .computed(let computation, let operands):
      switch computation {
      case .lowercased, .uppercased, .prefix, .joined, .text: return .text
      case .real: return .real
      case .plus, .minus, .times: return operands[0].storedType
      default: return nil
      }
    case .comparison, .moment, .isIn, .text, .matches, .and, .or, .not: return .integer
    case .constant, .related, .rank: return nil
    }
  }
}

extension QueryExpression {
  /// The type of the values that the schema allows, or nil if this doesn't know it.
  package var valueType: StoredType? {
    switch self {
    case .attribute(let path):
      let column = path.target.columns[path.column]
      return path.part.map { column.parts[$0].type } ?? column.type
    case .constant(.integer), .count: return .integer
    case .constant(.text): return .text
    case .constant(.bytes): return .bytes
    case .constant(.real), .related(.realSum, _, _, _), .related(.average, _, _, _):
      return .real
    case .related(.least, _, of: let value, _), .related(.greatest, _, of: let value, _):
      return value.valueType
    case .computed(let computation, let operands):
      switch computation {
      case .plus, .minus, .times, .dividedBy, .firstValue: return operands[0].valueType
      case .real: return .real
      case .text, .joined, .lowercased, .uppercased, .prefix: return .text
      default: return nil
      }
    // A condition is 0 or 1.
    case .comparison, .moment, .isIn, .text, .matches, .and, .or, .not: return .integer
    case .constant, .related, .rank: return nil
    }
  }
}

extension QueryExpression {
  /// The values that the condition fixes attributes of the object itself to, by column.
  ///
  /// With them an object is looked up, where otherwise all would be gone through.
  var pinned: [Int: StoredValue] {
    switch self {
    case .comparison(.equal, .attribute(let path), .constant(let value)) where path.steps.isEmpty:
      [path.column: value]
    case .and(let parts):
      parts.reduce(into: [:]) { pinned, part in pinned.merge(part.pinned) { first, _ in first } }
    default: [:]
    }
  }
}

extension EntityDescription {
  /// The first key whose values a condition fixes, with those values.
  func lookup(_ filter: QueryExpression?) -> (columns: [Int], values: [StoredValue])? {
    guard let pinned = filter?.pinned, !pinned.isEmpty else { return nil }
    for columns in [[identity]] + lookupKeys {
      let values = columns.compactMap { pinned[$0] }
      // nil is in no index.
      if values.count == columns.count && !values.contains(where: \.isNull) {
        return (columns, values)
      }
    }
    return nil
  }
}

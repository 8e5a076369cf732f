extension QueryExpression {
  /// The values to which the condition fixes attributes of the object itself, by column.
  ///
  /// With them an object is looked up. Otherwise all objects would be visited.
  var fixedValues: [Int: StoredValue] {
    var values: [Int: StoredValue] = [:]
    for case .comparison(.equal, .attribute(let path), .constant(let value)) in conjuncts
    where path.isOwnAttribute && values[path.column] == nil {
      values[path.column] = value
    }
    return values
  }

  /// The bounds that the condition sets to attributes of the object itself, by column.
  var bounds: [Int: ValueBounds] {
    var bounds: [Int: ValueBounds] = [:]
    for case .comparison(let comparison, .attribute(let path), .constant(let value)) in conjuncts
    where path.isOwnAttribute && !value.isNull && comparison != .equal && comparison != .notEqual {
      bounds[path.column, default: ValueBounds()].narrow(comparison, value)
    }
    return bounds
  }

  /// The lists to which the condition limits attributes of the object itself, by column.
  var lists: [Int: [StoredValue]] {
    var lists: [Int: [StoredValue]] = [:]
    for case .isIn(.attribute(let path), let values) in conjuncts
    where path.isOwnAttribute && lists[path.column] == nil {
      lists[path.column] = values
    }
    return lists
  }

  /// The patterns that the texts of the object itself have to match.
  var searches: [SearchPattern.Node] {
    var nodes: [SearchPattern.Node] = []
    for case .matches(let path, let pattern) in conjuncts where path.steps.isEmpty {
      nodes.append(pattern.node)
    }
    return nodes
  }
}

extension AttributePath {
  /// True if it is a whole attribute of the object itself.
  fileprivate var isOwnAttribute: Bool { steps.isEmpty && part == nil }
}

extension EntityDescription {
  /// Returns the first key whose values a condition fixes, with these values, or nil.
  package func lookup(_ filter: QueryExpression?) -> (columns: [Int], values: [StoredValue])? {
    guard let fixed = filter?.fixedValues, !fixed.isEmpty else { return nil }
    for columns in [[identity]] + lookupKeys {
      let values = columns.compactMap { fixed[$0] }
      // No index contains nil.
      if values.count == columns.count && !values.contains(where: \.isNull) {
        return (columns, values)
      }
    }
    return nil
  }
}

extension QueryExpression {
  /// The values to which the condition fixes attributes of the object itself, by column.
  ///
  /// With them an object is looked up. Otherwise all objects would be visited.
  var fixedValues: [Int: StoredValue] {
    var values: [Int: StoredValue] = [:]
    for part in conjuncts {
      guard let (column, value) = part.fixedValue, values[column] == nil else { continue }
      values[column] = value
    }
    return values
  }

  /// The attribute of the object itself that the condition fixes, and its value, or nil.
  private var fixedValue: (column: Int, value: StoredValue)? {
    switch self {
    case .comparison(.equal, .attribute(let path), .constant(let value)):
      path.column(ofObjectsWith: [value]).map { ($0, value) }
    case .attribute(let path) where path.isOwnAttribute && path.isTruth:
      (path.column, .integer(1))
    case .not(.attribute(let path))
    where path.isOwnAttribute && path.isTruth && !path.target.columns[path.column].isOptional:
      (path.column, .integer(0))
    default: nil
    }
  }

  /// The bounds that the condition sets to attributes of the object itself, by column.
  ///
  /// No attribute within bounds is nil.
  var bounds: [Int: ValueBounds] {
    var bounds: [Int: ValueBounds] = [:]
    for part in conjuncts {
      switch part {
      case .comparison(let comparison, .attribute(let path), .constant(let value))
      where path.isOwnAttribute && !value.isNull && comparison != .equal && comparison != .notEqual:
        bounds[path.column, default: ValueBounds()].narrow(comparison, value)
      case .text(.prefix, .attribute(let path), part: .constant(.text(let prefix)), ignoring: [])
      where path.isOwnAttribute:
        bounds[path.column, default: ValueBounds()].narrow(.greaterOrEqual, .text(prefix))
        if let end = prefix.endOfPrefix {
          bounds[path.column, default: ValueBounds()].narrow(.less, .text(end))
        }
      default: break
      }
    }
    return bounds
  }

  /// The columns of attributes of the object itself that aren't nil if the condition is true.
  var presentColumns: Set<Int> {
    var columns: Set<Int> = []
    for case .comparison(.notEqual, .attribute(let path), .constant(.null)) in conjuncts
    where path.isOwnAttribute {
      columns.insert(path.column)
    }
    return columns
  }

  /// The lists to which the condition limits attributes of the object itself, by column.
  var lists: [Int: [StoredValue]] {
    var lists: [Int: [StoredValue]] = [:]
    for part in conjuncts {
      guard let (column, values) = part.list, lists[column] == nil else { continue }
      lists[column] = values
    }
    return lists
  }

  /// The attribute of the object itself that the condition limits to some values, or nil.
  private var list: (column: Int, values: [StoredValue])? {
    switch self {
    case .isIn(.attribute(let path), let values):
      return path.column(ofObjectsWith: values).map { ($0, values) }
    case .or(let parts):
      // Each part limits the same attribute. A list finds no object by nil, but an equality does.
      var column: Int?
      var all: [StoredValue] = []
      for part in parts {
        if let (own, value) = part.fixedValue {
          if value.isNull || own != column ?? own { return nil }
          column = own
          all.append(value)
        } else if let (own, values) = part.list, own == column ?? own {
          column = own
          all.append(contentsOf: values)
        } else {
          return nil
        }
      }
      return column.map { ($0, all) }
    default: return nil
    }
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

  /// Returns the column of the object itself that has one of some values if the path leads to one
  /// of them, or nil.
  ///
  /// It is the attribute, or a reference to the object whose id the path leads to.
  fileprivate func column(ofObjectsWith values: [StoredValue]) -> Int? {
    if isOwnAttribute { return column }
    // The id is also nil where the object doesn't exist, whatever the reference is.
    guard steps.count == 1, part == nil, column == target.identity,
      !values.contains(where: \.isNull)
    else { return nil }
    return steps[0].column
  }
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

/// Checks of values of related objects that a storage has read without the objects.
///
/// A row is made of values that its schema can read. Otherwise reading it throws. Values from other
/// tables that come with it have to be as sound. A view of them is made later, where nothing can be
/// thrown.
package struct RelatedValueChecks {
  private struct Check {
    /// The value's position among those of the plan.
    let place: Int
    let expected: ExpectedValue
    /// The position of the id of the object that has the value, if the id is read, too.
    let idPlace: Int?
  }

  private let checks: [Check]

  package init(_ values: [QueryExpression]) {
    var ids: [[ReferenceStep]: Int] = [:]
    for (place, value) in values.enumerated() {
      if case .attribute(let path) = value, path.part == nil, path.column == path.target.identity {
        ids[path.steps] = place
      }
    }
    checks = values.enumerated().compactMap { place, value in
      switch value {
      case .related(.least, _, _, _), .related(.greatest, _, _, _), .computed:
        // SQL gives such a value without its object.
        let expected = ExpectedValue(value)
        return expected.paths.isEmpty ? nil : Check(place: place, expected: expected, idPlace: nil)
      case .attribute(let path) where !path.steps.isEmpty:
        return Check(place: place, expected: ExpectedValue(value), idPlace: ids[path.steps])
      default: return nil
      }
    }
  }

  /// Throws if a value isn't one of its attribute's type.
  ///
  /// - Throws: ``StoreError/unreadable(_:attribute:found:)``.
  /// - Complexity: O(*v*), where *v* is the number of values of related objects.
  package func check(_ values: [StoredValue]) throws {
    for check in checks {
      let value = values[check.place]
      let path = check.expected.paths[0]
      let column = path.target.columns[path.column]
      // The object doesn't exist, or its value may be nil.
      let isThere = check.idPlace.map { !values[$0].isNull } ?? false
      if value.isNull && (!isThere || column.isOptional) { continue }
      if check.expected.allows(value) { continue }
      throw StoreError.unreadable(
        ObjectID(entityName: path.target.name, id: check.idPlace.map { values[$0] } ?? .null),
        attribute: path.part.map { column.parts[$0].name } ?? column.name, found: value)
    }
  }
}

/// The values that an expression may give: those of attributes, constants, or all of some types.
private struct ExpectedValue {
  var paths: [AttributePath] = []
  private var constants: [StoredValue] = []
  private var types: [StoredType] = []

  init(_ expression: QueryExpression) { add(expression) }

  private mutating func add(_ expression: QueryExpression) {
    switch expression {
    case .attribute(let path): paths.append(path)
    case .constant(let value): constants.append(value)
    case .related(.least, _, of: let value, _), .related(.greatest, _, of: let value, _):
      add(value)
    case .related(.list, _, _, _): types.append(.list)
    case .related(.realSum, _, _, _), .related(.average, _, _, _): types.append(.real)
    case .computed(.firstValue, let operands): for operand in operands { add(operand) }
    case .computed(let computation, let operands):
      types += computation.types(of: operands)
      // They say of which entity the value is.
      for operand in operands where paths.isEmpty {
        paths = ExpectedValue(operand).paths
      }
    default: types.append(.integer)
    }
  }

  /// Returns true if the expression may give a value that isn't nil.
  func allows(_ value: StoredValue) -> Bool {
    if types.contains(where: value.isOf) || constants.contains(value) { return true }
    // A computed value is of one of the types, and not a value of the attribute.
    return types.isEmpty
      && paths.contains { path in
        let decoder = path.target.decoders[path.column]
        do {
          if let part = path.part {
            try decoder.check(value, ofPart: part)
          } else {
            try decoder.check(value)
          }
          return true
        } catch {
          return false
        }
      }
  }
}

extension Computation {
  /// Returns the types that a result may have.
  fileprivate func types(of operands: [QueryExpression]) -> [StoredType] {
    switch self {
    // SQL gives a result of the type that it finds, also where that isn't the attribute's.
    case .plus, .minus, .times, .dividedBy: [operands[0].valueType ?? .integer]
    case .real: [.real]
    case .text, .joined, .lowercased, .uppercased, .prefix: [.text]
    // A function is computed here, from objects that could be read.
    case .custom, .firstValue: [.integer, .real, .text, .bytes]
    }
  }
}

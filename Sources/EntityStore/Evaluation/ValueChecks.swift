/// Checks of values that a storage has read without their objects.
///
/// A row is made of values that its schema can read. Otherwise reading it throws. Values from other
/// tables that come with it have to be as sound. A view of them is made later, where nothing can be
/// thrown.
package struct ValueChecks {
  private struct Check {
    /// The value's position among those of the plan.
    let place: Int
    let expected: ExpectedValue
    /// The position of the id of the object that has the value, if the id is read, too.
    let idPlace: Int?
    /// True if the object that has the value exists.
    let isOwn: Bool
  }

  private let checks: [Check]

  /// Creates the checks of a plan's values.
  ///
  /// If the plan's own objects aren't read either, `idPlace` is the position of their ids. Then
  /// their attributes are checked, too.
  package init(_ values: [QueryExpression], idPlace: Int? = nil) {
    var ids: [[ReferenceStep]: Int] = [:]
    ids[[]] = idPlace
    for (place, value) in values.enumerated() {
      if case .attribute(let path) = value, path.part == nil, path.column == path.target.identity {
        ids[path.steps] = place
      }
    }
    let all: [Check] = values.enumerated().compactMap { place, value in
      switch value {
      case .related(.least, _, _, _), .related(.greatest, _, _, _), .computed:
        // SQL gives such a value without its object.
        let expected = ExpectedValue(value)
        return expected.paths.isEmpty
          ? nil : Check(place: place, expected: expected, idPlace: nil, isOwn: false)
      case .attribute(let path) where !path.steps.isEmpty || idPlace != nil:
        return Check(
          place: place, expected: ExpectedValue(value), idPlace: ids[path.steps],
          isOwn: path.steps.isEmpty)
      default: return nil
      }
    }
    // SQL computes a wrong value of a wrong attribute, which is the one to name.
    checks = all.filter(\.isOwn) + all.filter { !$0.isOwn }
  }

  /// Throws if a value isn't one of its attribute's type; `value` returns the value at a position.
  ///
  /// - Throws: ``StoreError/unreadable(_:attribute:found:)``.
  /// - Complexity: O(*v*), where *v* is the number of values that are checked.
  package func check(_ value: (Int) -> StoredValue) throws {
    for check in checks {
      let found = value(check.place)
      let path = check.expected.paths[0]
      let column = path.target.columns[path.column]
      // The object doesn't exist, or its value may be nil.
      if found.isNull {
        if column.isOptional { continue }
        let isThere = check.isOwn || check.idPlace.map { !value($0).isNull } ?? false
        if !isThere { continue }
      }
      if check.expected.allows(found) { continue }
      throw StoreError.unreadable(
        ObjectID(entityName: path.target.name, id: check.idPlace.map(value) ?? .null),
        attribute: path.part.map { column.parts[$0].name } ?? column.name, found: found)
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
    case .computed(.firstValue, let operands): for operand in operands { add(operand) }
    case .computed(let computation, let operands):
      // SQL gives a result of the type that it finds, also where that isn't the attribute's. A
      // custom function is computed here, from objects that could be read.
      if case .custom = computation {
        types += [.integer, .real, .text, .bytes]
      } else {
        types.append(expression.valueType ?? .integer)
      }
      // They say of which entity the value is.
      for operand in operands where paths.isEmpty {
        paths = ExpectedValue(operand).paths
      }
    default: types.append(expression.valueType ?? .integer)
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

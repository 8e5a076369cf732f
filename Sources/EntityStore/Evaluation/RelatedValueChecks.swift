/// Checks of values of related objects that a storage has read without the objects.
///
/// A row is made of values that its schema can read. Otherwise reading it throws. Values from other
/// tables that come with it have to be as sound. A view of them is made later, where nothing can be
/// thrown.
package struct RelatedValueChecks {
  private struct Check {
    /// The value's position among those of the plan.
    let place: Int
    let path: AttributePath
    /// The position of the id of the object that has the value, if the id is read, too.
    let idPlace: Int?
  }

  private let checks: [Check]

  /// Creates the checks of a plan's values.
  package init(_ values: [QueryExpression]) {
    var ids: [[ReferenceStep]: Int] = [:]
    for (place, value) in values.enumerated() {
      if case .attribute(let path) = value, path.part == nil, path.column == path.target.identity {
        ids[path.steps] = place
      }
    }
    checks = values.enumerated().compactMap { place, value in
      if case .related = value {
        // SQL gives the least or the greatest value without its object.
        return value.extremeAttribute.map { Check(place: place, path: $0, idPlace: nil) }
      }
      guard case .attribute(let path) = value, !path.steps.isEmpty else { return nil }
      return Check(place: place, path: path, idPlace: ids[path.steps])
    }
  }

  /// Throws if a value isn't one of its attribute's type.
  ///
  /// - Throws: ``StoreError/unreadable(_:attribute:found:)``.
  /// - Complexity: O(*v*), where *v* is the number of values of related objects.
  package func check(_ values: [StoredValue]) throws {
    for check in checks {
      let value = values[check.place]
      let entity = check.path.target
      let column = entity.columns[check.path.column]
      let decoder = entity.decoders[check.path.column]
      // The object doesn't exist, or its value may be nil.
      let isThere = check.idPlace.map { !values[$0].isNull } ?? false
      if value.isNull && (!isThere || column.isOptional) { continue }
      do {
        if let part = check.path.part {
          try decoder.check(value, ofPart: part)
        } else {
          try decoder.check(value)
        }
      } catch {
        throw StoreError.unreadable(
          ObjectID(entityName: entity.name, id: check.idPlace.map { values[$0] } ?? .null),
          attribute: check.path.part.map { column.parts[$0].name } ?? column.name, found: value)
      }
    }
  }
}

extension QueryExpression {
  /// The attribute of which this is a value: itself, or the one of which an extreme is taken.
  fileprivate var extremeAttribute: AttributePath? {
    switch self {
    case .attribute(let path): path
    case .related(.least, _, of: let value, _), .related(.greatest, _, of: let value, _):
      value.extremeAttribute
    default: nil
    }
  }
}

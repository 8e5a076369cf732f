internal import Locking

/// One property of an entity in its schema.
///
///     static let attributes = Attributes(
///       .id(\Car.id), .attribute("model", \.model), .attribute("year", \.year, default: 2000),
///       .one("owner", \.owner, inverse: \.cars, onDelete: .nullify))
///     static let schema = Schema(attributes, Car.init)
///
/// The attributes have the order of the memberwise initialiser's parameters.
public struct Attribute<Root: Entity, Value: Sendable>: Sendable {
  @usableFromInline let part: AttributePart<Root>

  init(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Value? = nil,
    reference: Column.Reference? = nil, idAccess: IdentityAccess<Root>? = nil,
    renamedFrom formerNames: [String] = []
  ) where Value: Storable {
    if let type = Value.self as? any AnyReference.Type, reference == nil, idAccess == nil {
      mistake(
        "\(Root.entityName).\(name) is a Ref<\(type.targetName)>, so it must be listed with .one: as a plain value its "
          + "object wouldn't be looked for, and no delete rule would hold")
    }
    let stored = value?.storedValue
    mustHold(
      !(stored?.isNaN ?? false),
      "The default of \(Root.entityName).\(name) is NaN, which can't be stored; give it nil or a number"
    )
    let column = Column(
      name: name, type: Value.storedType, isOptional: Value.storesNil,
      defaultValue: stored ?? (Value.storesNil ? .null : nil), reference: reference,
      formerNames: formerNames, isExact: Value.self is any StoredExactly.Type)
    part = AttributePart(
      column: column, access: ColumnAccess(path),
      decoder: ValueDecoder<Value> { try Value(storedValue: $0) }, idAccess: idAccess)
  }

  package init(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Value, formerNames: [String]
  ) where Value: Storable {
    self.init(name, path, default: value, renamedFrom: formerNames)
  }
}

extension Attribute where Value: Storable {
  /// Returns the attribute of the object's id, whose column is named "id" by default.
  ///
  /// - Parameters:
  ///   - path: the property.
  ///   - name: the column's name.
  ///   - formerNames: names that the column had before.
  /// - Returns: the attribute.
  /// - Precondition: the id isn't a ``CompositeID``, whose parts have to be listed.
  public static func id(
    _ path: KeyPath<Root, Value>, name: String = "id", renamedFrom formerNames: String...
  ) -> Attribute where Value == Root.ID {
    mustHold(
      !(Value.self is any CompositeID.Type),
      "The id of \(Root.entityName) has parts; list them after its initialiser")
    return Attribute(
      name, path,
      idAccess: IdentityAccess(
        store: { $0.storedValue }, load: { try Root.ID(storedValue: $0) },
        isExact: Value.self is any StoredExactly.Type),
      renamedFrom: formerNames)
  }

  /// Returns the attribute of a plain value.
  ///
  /// - Parameters:
  ///   - name: the column's name, which files keep: renaming the property doesn't change it.
  ///   - path: the property.
  ///   - value: the value of objects that were stored before the attribute was declared. A new
  ///     object has the value that its initialiser gives.
  ///   - formerNames: names that the column had before, newest first. If a file has one of them,
  ///     the column is renamed when the file is opened. Another column may have the old name today.
  /// - Returns: the attribute.
  public static func attribute(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Value? = nil,
    renamedFrom formerNames: String...
  ) -> Attribute {
    Attribute(name, path, default: value, renamedFrom: formerNames)
  }
}

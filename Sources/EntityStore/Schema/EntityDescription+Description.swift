@_spi(Storage) extension EntityDescription: CustomStringConvertible {
  /// The entity and its attributes: `Car(id, model, owner)`.
  public var description: String { "\(name)(\(columns.map(\.name).joined(separator: ", ")))" }
}

@_spi(Storage) extension EntityDescription: CustomReflectable {
  /// A mirror of the declaration, without the functions that read objects.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name, "columns": columns, "identity": identity, "uniqueKeys": uniqueKeys,
        "indexes": indexes,
      ], displayStyle: .class)
  }
}

@_spi(Storage) extension Column: CustomStringConvertible {
  /// The attribute, its type and its target: `year: integer`, or `owner: text?, of Person`.
  public var description: String {
    "\(name): \(type)\(isOptional ? "?" : "")" + (reference.map { ", of \($0.target.name)" } ?? "")
  }
}

@_spi(Storage) extension Column: CustomReflectable {
  /// A mirror of the declaration, without the functions that read values.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name, "type": type, "isOptional": isOptional, "defaultValue": defaultValue as Any,
        "reference": reference.map { $0.target.name } as Any, "formerNames": formerNames,
      ], displayStyle: .struct)
  }
}

extension Schema: CustomStringConvertible {
  /// The entity and its attributes: `Car(id, model, owner)`.
  public var description: String { entity.description }
}

extension Schema: CustomReflectable {
  /// The mirror of the entity.
  public var customMirror: Mirror { entity.customMirror }
}

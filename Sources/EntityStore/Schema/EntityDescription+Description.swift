extension EntityDescription: CustomStringConvertible {
  /// The entity and its attributes: `Car(id, model, owner)`.
  public var description: String { "\(name)(\(columns.map(\.name).joined(separator: ", ")))" }
}

extension EntityDescription: CustomReflectable {
  /// What is declared, without what objects are read by.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name, "columns": columns, "identity": identity, "uniqueKeys": uniqueKeys,
        "indexes": indexes,
      ], displayStyle: .class)
  }
}

extension Column: CustomStringConvertible {
  /// The attribute, its type, and what it refers to: `year: integer`, or `owner: text?, of Person`.
  public var description: String {
    "\(name): \(type)\(isOptional ? "?" : "")" + (reference.map { ", of \($0.target.name)" } ?? "")
  }
}

extension Column: CustomReflectable {
  /// What is declared, without what values are read by.
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
  /// The entity's own.
  public var customMirror: Mirror { entity.customMirror }
}

internal import Locking

extension Attribute {
  /// Returns the attribute of an optional reference to one object.
  ///
  /// - Parameters:
  ///   - name: the column's name.
  ///   - path: the property.
  ///   - inverse: the other side's to-many property, if it has one. It is made of this reference.
  ///   - onDelete: the effect on this object when the other is deleted.
  ///   - lateBound: true if the other object may be missing. When it is deleted, the reference
  ///     stays and waits for it.
  ///   - formerNames: names that the column had before.
  /// - Returns: the attribute.
  /// - Precondition: a late-bound reference states no delete rule, and an inverse belongs to one
  ///   reference.
  public static func one<Target: Entity>(
    _ name: String, _ path: KeyPath<Root, Ref<Target>?>,
    inverse: KeyPath<Target, Many<Target, Root>>? = nil, onDelete: DeleteRule = .nullify,
    lateBound: Bool = false, renamedFrom formerNames: String...
  ) -> Attribute where Value == Ref<Target>? {
    Attribute(
      name, path,
      reference: .init(
        "\(Root.entityName).\(name)", to: Target.self, inverse: inverse, onDelete: onDelete,
        unstated: .nullify, lateBound: lateBound),
      renamedFrom: formerNames)
  }

  /// Returns the attribute of a required reference to one object.
  ///
  /// - Parameters:
  ///   - name: the column's name.
  ///   - path: the property.
  ///   - inverse: the other side's to-many property, if it has one. It is made of this reference.
  ///   - onDelete: the effect on this object when the other is deleted.
  ///   - lateBound: true if the other object may be missing. When it is deleted, the reference
  ///     stays and waits for it.
  ///   - formerNames: names that the column had before.
  /// - Returns: the attribute.
  /// - Precondition: a late-bound reference states no delete rule, and an inverse belongs to one
  ///   reference.
  public static func one<Target: Entity>(
    _ name: String, _ path: KeyPath<Root, Ref<Target>>,
    inverse: KeyPath<Target, Many<Target, Root>>? = nil, onDelete: DeleteRule.Required = .deny,
    lateBound: Bool = false, renamedFrom formerNames: String...
  ) -> Attribute where Value == Ref<Target> {
    Attribute(
      name, path,
      reference: .init(
        "\(Root.entityName).\(name)", to: Target.self, inverse: inverse, onDelete: onDelete.rule,
        unstated: .deny, lateBound: lateBound),
      renamedFrom: formerNames)
  }
}

extension Column.Reference {
  /// Creates a reference with a name, whose rule is `ordinary` if none is stated.
  init<Root: Entity, Target: Entity>(
    _ name: String, to target: Target.Type, inverse: KeyPath<Target, Many<Target, Root>>?,
    onDelete: DeleteRule, unstated ordinary: DeleteRule, lateBound: Bool
  ) {
    mustHold(
      !lateBound || onDelete == ordinary,
      "\(name) is late-bound and has the delete rule \(onDelete); a late-bound reference waits for its "
        + "object to come back, so leave out onDelete, or lateBound")
    self.onDelete = onDelete
    isLateBound = lateBound
    makeTarget = { Target.schema.entity }
    self.inverse = inverse.map { Column.InversePath($0) }
  }
}

extension Column.InversePath {
  init<Owner: Entity, Other: Entity>(_ path: KeyPath<Owner, Many<Owner, Other>>) {
    self.path = path
    words = "\(Many<Owner, Other>.self)"
    reference = { $0.value(as: Owner.self)[keyPath: path].path }
  }
}

extension Row {
  /// Returns the objects that refer to this one.
  public subscript<Other: Entity>(dynamicMember path: KeyPath<Target, Many<Target, Other>>)
    -> Rows<Root, Other>
  { Rows(path, after: steps, from: Root.schema.entity) }
}

extension Rows {
  /// Creates the objects that refer to the one at the end of some steps from an entity.
  package init<Owner: Entity>(
    _ path: KeyPath<Owner, Many<Owner, Target>>, after steps: [ReferenceStep],
    from root: EntityDescription
  ) {
    let target = Target.schema.entity
    self.init(
      path: ManyPath(
        root: root, steps: steps, target: target, column: target.referenceColumn(inverse: path)))
  }
}

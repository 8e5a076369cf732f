extension Row {
  /// Returns the objects that refer to this one.
  public subscript<Other: Entity>(dynamicMember path: KeyPath<Target, Many<Target, Other>>)
    -> Rows<Root, Other>
  { Rows(path, after: steps) }
}

extension Rows {
  /// Creates the objects that refer to the one at the end of some steps.
  package init<Owner: Entity>(
    _ path: KeyPath<Owner, Many<Owner, Target>>, after steps: [ReferenceStep] = []
  ) {
    let target = Target.schema.entity
    self.init(
      path: ManyPath(
        root: Root.schema.entity, steps: steps, target: target,
        column: target.referenceColumn(inverse: path)))
  }
}

extension Row {
  /// Returns the objects that refer to this one.
  public subscript<Other: Entity>(dynamicMember path: KeyPath<Target, Many<Target, Other>>)
    -> Rows<Root, Other>
  {
    let target = Other.schema.entity
    return Rows(
      path: ManyPath(
        root: Root.schema.entity, steps: steps, target: target,
        column: target.referenceColumn(inverse: path)))
  }
}

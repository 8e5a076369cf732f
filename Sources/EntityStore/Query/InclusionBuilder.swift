internal import Locking

/// Collects the paths of `.including`, one a line.
@resultBuilder public enum InclusionBuilder<Root: Entity> {
  /// One attribute of a related object.
  public static func buildExpression<Value>(_ field: Field<Root, Value>) -> Inclusion<Root> {
    guard case .attribute(let path) = field.expression else {
      mistake(
        "Only attributes can be included, not conditions or counts; include { $0.owner.name }")
    }
    return Inclusion(paths: [path])
  }

  /// A related object with all its attributes.
  public static func buildExpression<Target>(_ row: Row<Root, Target>) -> Inclusion<Root> {
    let columns = Target.schema.entity.columns.indices
    return Inclusion(
      paths: columns.map {
        AttributePath(root: Root.schema.entity, steps: row.steps, column: $0)
      })
  }

  /// Paths that have been collected already.
  public static func buildExpression(_ inclusion: Inclusion<Root>) -> Inclusion<Root> { inclusion }

  /// All lines.
  public static func buildBlock(_ lines: Inclusion<Root>...) -> Inclusion<Root> {
    Inclusion(paths: lines.flatMap(\.paths))
  }

  /// A branch.
  public static func buildEither(first: Inclusion<Root>) -> Inclusion<Root> { first }

  /// The other branch.
  public static func buildEither(second: Inclusion<Root>) -> Inclusion<Root> { second }

  /// Paths that are there only sometimes.
  public static func buildOptional(_ paths: Inclusion<Root>?) -> Inclusion<Root> {
    paths ?? Inclusion()
  }

  /// The paths of a loop.
  public static func buildArray(_ paths: [Inclusion<Root>]) -> Inclusion<Root> {
    Inclusion(paths: paths.flatMap(\.paths))
  }
}

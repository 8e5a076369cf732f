extension Inclusion {
  /// A result builder that collects the values of `.including`, one on each line.
  ///
  ///     query.including {
  ///       $0.owner.name
  ///       $0.owner.age
  ///     }
  @resultBuilder public enum Builder {
    /// Returns one attribute of a related object, a value that is made of several related objects,
    /// or a value that is computed.
    public static func buildExpression<Value>(_ field: Field<Root, Value>) -> Inclusion<Root> {
      if case .attribute(let path) = field.expression { return Inclusion(paths: [path]) }
      return Inclusion(computed: field.expression)
    }

    /// Returns a related object with all its attributes.
    public static func buildExpression<Target>(_ row: Row<Root, Target>) -> Inclusion<Root> {
      let columns = Target.schema.entity.columns.indices
      return Inclusion(
        paths: columns.map {
          AttributePath(root: Root.schema.entity, steps: row.steps, column: $0)
        })
    }

    /// Returns values that have been collected already.
    public static func buildExpression(_ inclusion: Inclusion<Root>) -> Inclusion<Root> {
      inclusion
    }

    /// Returns the values of all lines.
    public static func buildBlock(_ lines: Inclusion<Root>...) -> Inclusion<Root> {
      buildArray(lines)
    }

    /// Returns the values of a branch.
    public static func buildEither(first: Inclusion<Root>) -> Inclusion<Root> { first }

    /// Returns the values of the other branch.
    public static func buildEither(second: Inclusion<Root>) -> Inclusion<Root> { second }

    /// Returns the values of an `if` without `else`, or none.
    public static func buildOptional(_ paths: Inclusion<Root>?) -> Inclusion<Root> {
      paths ?? Inclusion()
    }

    /// Returns the values of a loop.
    public static func buildArray(_ all: [Inclusion<Root>]) -> Inclusion<Root> {
      Inclusion(paths: all.flatMap(\.paths), computed: all.flatMap(\.computed))
    }
  }
}

internal import Locking

extension Inclusion {
  /// A result builder that collects the paths of `.including`, one on each line.
  ///
  ///     query.including {
  ///       $0.owner.name
  ///       $0.owner.age
  ///     }
  @resultBuilder public enum Builder {
    /// Returns one attribute of a related object.
    public static func buildExpression<Value>(_ field: Field<Root, Value>) -> Inclusion<Root> {
      guard case .attribute(let path) = field.expression else {
        mistake(
          "Only attributes can be included, not conditions or counts; include { $0.owner.name }")
      }
      return Inclusion(paths: [path])
    }

    /// Returns a related object with all its attributes.
    public static func buildExpression<Target>(_ row: Row<Root, Target>) -> Inclusion<Root> {
      let columns = Target.schema.entity.columns.indices
      return Inclusion(
        paths: columns.map {
          AttributePath(root: Root.schema.entity, steps: row.steps, column: $0)
        })
    }

    /// Returns paths that have been collected already.
    public static func buildExpression(_ inclusion: Inclusion<Root>) -> Inclusion<Root> {
      inclusion
    }

    /// Returns the paths of all lines.
    public static func buildBlock(_ lines: Inclusion<Root>...) -> Inclusion<Root> {
      Inclusion(paths: lines.flatMap(\.paths))
    }

    /// Returns the paths of a branch.
    public static func buildEither(first: Inclusion<Root>) -> Inclusion<Root> { first }

    /// Returns the paths of the other branch.
    public static func buildEither(second: Inclusion<Root>) -> Inclusion<Root> { second }

    /// Returns the paths of an `if` without `else`, or none.
    public static func buildOptional(_ paths: Inclusion<Root>?) -> Inclusion<Root> {
      paths ?? Inclusion()
    }

    /// Returns the paths of a loop.
    public static func buildArray(_ paths: [Inclusion<Root>]) -> Inclusion<Root> {
      Inclusion(paths: paths.flatMap(\.paths))
    }
  }
}

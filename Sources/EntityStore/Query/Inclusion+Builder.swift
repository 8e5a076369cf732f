internal import Locking

extension Inclusion {
  /// A result builder that collects the values of `.including`, one on each line.
  ///
  ///     query.including {
  ///       $0.owner.name
  ///       $0.owner.age
  ///     }
  @resultBuilder public enum Builder {
    /// Returns one attribute of a related object, or a value that is made of several related
    /// objects.
    public static func buildExpression<Value>(_ field: Field<Root, Value>) -> Inclusion<Root> {
      switch field.expression {
      case .attribute(let path): return Inclusion(paths: [path])
      case .count, .related: return Inclusion(related: field.expression)
      default:
        mistake(
          "\(field.expression) is computed, and can't be included; include what it reads, "
            + "{ $0.owner.name; $0.cars.count }, and compute it from the row")
      }
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
      Inclusion(paths: all.flatMap(\.paths), related: all.flatMap(\.related))
    }
  }
}

@_spi(Storage) package import EntityStore

/// A fetch plan as SQL that returns the plan's values without the objects.
///
/// An object whose other attributes can't be read is no error.
package struct SQLValues {
  /// SQL that selects the values, and then what they are checked with.
  package let select: SQLTranslation.Piece
  private let checks: ValueChecks
  /// The number of values of the plan.
  private let count: Int
  /// The number of columns that are read for each object.
  private let width: Int
  /// The layout of the id, whose columns follow these.
  private let idShape: SQLRowShape

  /// Translates a plan into SQL, or returns nil if SQL can't express all of it.
  package init?(_ plan: FetchPlan, _ dialect: any SQLDialect) {
    let entity = plan.entity
    var values = plan.values
    // SQL computes a value of what it finds. So each attribute that it uses is checked.
    for value in plan.values {
      if case .attribute = value { continue }
      values += value.ownColumns.sorted().map { .column($0, of: entity) }
    }
    width = values.count
    checks = ValueChecks(values, idPlace: width)
    // An error names the object by its id, which is read only then.
    let identity = entity.columns[entity.identity]
    idShape = SQLRowShape([identity])
    for part in identity.type == .list ? identity.parts.indices.map(Int?.some) : [nil] {
      values.append(
        .attribute(AttributePath(root: entity, steps: [], column: entity.identity, part: part)))
    }
    let query = SQLQuery(plan.with(values: values), dialect, withObjects: false)
    guard query.isFinished, !query.valueColumns.contains(nil) else { return nil }
    select = query.select
    count = plan.values.count
  }

  /// Returns the plan's values of a row, in which `value` returns the value in a column.
  ///
  /// - Throws: ``/EntityStore/StoreError/unreadable(_:attribute:found:)`` if one isn't of the
  ///   attribute's type.
  package func values(_ value: (Int) -> StoredValue) throws -> [StoredValue] {
    let read = (0..<width).map(value)
    try checks.check { $0 < width ? read[$0] : idShape.values(from: width, value)[0] }
    return width == count ? read : Array(read.prefix(count))
  }
}

@_spi(Storage) package import EntityStore

/// A column that a table has.
package protocol FoundColumn {
  var name: String { get set }
  var isOptional: Bool { get }
}

/// The source of a column's values when its table is changed.
package struct ColumnSource<Found: FoundColumn> {
  package let column: SQLColumn
  package let attribute: Column
  /// The column as the table has it, or nil if the table doesn't have it.
  package let found: Found?
  /// The value for rows that have none, or nil if there is no such value.
  ///
  /// It is the default of an attribute that the table doesn't have, or of one that was optional and
  /// isn't any more.
  package let fill: StoredValue?

  /// Returns the sources of an entity's columns, in the order of the schema.
  package static func all(
    of entity: EntityDescription, _ found: (_ column: String) -> Found?
  ) -> [ColumnSource] {
    entity.columns.flatMap { attribute in
      let values = attribute.defaultValue.map(attribute.sqlValues)
      return attribute.sqlColumns.enumerated().map { place, column in
        let existing = found(column.name)
        let isNeeded = existing == nil || !column.isOptional
        let fill = values?[place]
        return ColumnSource(
          column: column, attribute: attribute, found: existing,
          fill: isNeeded && !(fill?.isNull ?? true) ? fill : nil)
      }
    }
  }

  /// True if rows may lack a value that they need.
  package var mayLackValue: Bool {
    !column.isOptional && fill == nil && (found?.isOptional ?? true)
  }
  /// True if several rows may get the same value, which is the default.
  package var isFilled: Bool { fill != nil && (found?.isOptional ?? true) }
}

/// The tables into which migrations have written, by the names that the tables have now.
package struct MigratedTables {
  /// The tables that have lost their types and rules, have kept columns that they lose, or have got
  /// some.
  ///
  /// Comparing with the schemas makes them right.
  package private(set) var loosened: Set<FoldedName> = []
  /// The tables of which rows have been changed, or all rows have been inserted.
  private var changed: Set<FoldedName> = []
  /// The tables that had rows and into which others have been inserted.
  private var extended: Set<FoldedName> = []
  /// The tables that don't exist any more, by the names that references to them have now.
  private var dropped: Set<FoldedName> = []

  package init() {}

  /// Notes that the rows of a table have been replaced.
  mutating func rewrite(_ table: String, hasRows: Bool, hasChanged: Bool) {
    loosened.insert(FoldedName(table))
    // All rows that come into a table without any are inserted.
    if hasChanged || !hasRows { changed.insert(FoldedName(table)) }
  }

  /// Notes that a table has lost all rows, or had none, and has kept its columns, types and rules.
  mutating func empty(_ table: String) { changed.insert(FoldedName(table)) }

  /// Notes that a table has got columns.
  mutating func addColumns(to table: FoldedName) { loosened.insert(table) }

  /// Notes that rows are inserted into a table.
  mutating func insert(into table: FoldedName, isNew: Bool, hasRows: Bool) {
    if isNew { loosened.insert(table) }
    // All rows that come into a table without any are inserted.
    if isNew || !hasRows {
      changed.insert(table)
    } else {
      extended.insert(table)
    }
  }

  /// Notes that a table has another name.
  package mutating func rename(_ table: String, to new: String) {
    let (old, new) = (FoldedName(table), FoldedName(new))
    if loosened.remove(old) != nil { loosened.insert(new) }
    if changed.remove(old) != nil { changed.insert(new) }
    if extended.remove(old) != nil { extended.insert(new) }
    // Another table may have got its name meanwhile. References follow that one.
    if dropped.remove(old) != nil { dropped.insert(new) }
  }

  /// Notes that a table doesn't exist any more.
  mutating func drop(_ table: String) {
    let name = FoldedName(table)
    loosened.remove(name)
    changed.remove(name)
    extended.remove(name)
    dropped.insert(name)
  }

  /// Returns true if a migration has changed rows of a table or inserted some.
  package func hasWritten(to table: String) -> Bool {
    changed.contains(FoldedName(table)) || extended.contains(FoldedName(table))
  }

  /// Returns true if a migration may have taken rows from a table, or has dropped one of that name.
  package func mayLackRows(of table: FoldedName) -> Bool {
    loosened.contains(table) || changed.contains(table) || dropped.contains(table)
  }

  /// Returns true if a migration has changed rows that were there, or created the table.
  func hasChanged(_ table: String) -> Bool { changed.contains(FoldedName(table)) }
}

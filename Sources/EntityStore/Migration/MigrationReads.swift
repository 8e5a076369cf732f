/// The columns that migrations request from rows that don't have them.
package final class MigrationReads {
  /// The tables that have had today's form since they were created.
  private var watched: [FoldedName: AbsentColumns] = [:]
  /// The columns that were requested from the rows of other tables since the running migration
  /// began.
  private var asked: [FoldedName: AbsentColumns] = [:]

  package init() {}

  /// Watches a table that has had today's form since it was created.
  package func watch(_ table: String, columns: [String]) {
    watched[FoldedName(table)] = AbsentColumns(of: columns)
  }

  /// Forgets a table that is another one from now on.
  package func forget(_ table: String) { watched[FoldedName(table)] = nil }

  package func begin() { asked = [:] }

  package func record(of table: String, columns: [String]) -> AbsentColumns {
    let name = FoldedName(table)
    if let known = watched[name] ?? asked[name] { return known }
    let absent = AbsentColumns(of: columns)
    asked[name] = absent
    return absent
  }

  /// Returns the first column that was requested from a watched table and that it never had.
  package func firstAsked(ofWatched table: String) -> String? {
    watched[FoldedName(table)]?.asked.first
  }

  /// The columns that were requested from the rows of the other tables.
  package var others: [(table: FoldedName, columns: [String])] {
    asked.map { ($0, $1.asked) }
  }
}

/// A table into which a migration inserts rows.
package protocol MigrationTarget: AnyObject {
  /// True if the table doesn't exist, since no row was inserted.
  var isEmpty: Bool { get }
  /// True if rows have brought columns that the table of an entity didn't have.
  var hasNewColumns: Bool { get }
  /// Inserts a row; columns that the table lacks are added.
  func insert(_ row: Migration.Row) throws
  /// Writes what waits.
  func finish() throws
}

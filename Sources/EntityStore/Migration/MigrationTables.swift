/// The tables that a migration changes, inside a transaction that its caller opens and ends.
package protocol MigrationTables: AnyObject {
  /// The file or the server, for messages.
  var place: String { get }
  var reporter: MigrationReporter { get }
  var reads: MigrationReads { get }
  /// Throws if an error has ended the transaction.
  func checkIsInTransaction() throws
  func tableNames() throws -> [String]
  /// Returns the name of an entity's table and those of its columns, or nil if there is none.
  func table(of entity: String) throws -> (name: String, columns: [String])?
  /// Returns true if no entity can have a name.
  func isReserved(_ table: String) -> Bool
  func rowCount(of table: String) throws -> Int
  /// Calls `body` with the rows of a table, some at a time; it may change other tables.
  func forEachBatch(of table: String, _ body: (_ rows: [Migration.Row]) throws -> Void) throws
  /// Throws if rows can't be written to a table in a known time.
  func checkIndexes(of table: String) throws
  /// Returns what inserts rows into a table with some columns; without columns it doesn't exist.
  func target(_ table: String, of entity: String, columns: [String]) throws -> any MigrationTarget
  /// Returns what inserts the new rows of a table, which replace the old ones.
  func replacement(of table: String) throws -> any MigrationTarget
  /// Gives a table the rows of its replacement.
  func replace(_ table: String, with target: any MigrationTarget) throws
  /// Deletes a replacement that nobody needs any more.
  func discard(_ target: any MigrationTarget)
  func renameColumn(_ name: String, to new: String, of table: String) throws
  func renameTable(_ name: String, to new: String) throws
  /// Deletes a table; the ids of its rows aren't given again.
  func drop(_ table: String) throws
}

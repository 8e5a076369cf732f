#if PostgreSQL
internal import CPostgreSQL

/// A statement with the types of its numbered parameters.
///
/// The connection that runs it prepares it at its first use.
final class ServerStatement {
  /// The text and the parameters by which a statement is found again.
  struct Key: Hashable {
    let sql: String
    let types: [Oid]
  }

  let key: Key
  /// The table to which it has to write each row, or nil.
  let table: String?
  /// The number of rows that it returned when it was last run for each of them.
  var rowCount: Int?
  /// The name under which the server has prepared it, or nil.
  var name: String?

  init(_ sql: String, _ types: [Oid] = [], writing table: String? = nil) {
    key = Key(sql: sql, types: types)
    self.table = table
  }
}
#endif

#if PostgreSQL
internal import SQLMapping

/// The limits of a server's change log, and the SQL that keeps it within them.
///
/// A store reads at most so many rows and bytes at once, so older rows are of no use to anybody.
/// They are deleted by whole versions: of a version that has some of its rows, a store would
/// believe that it has all.
enum ServerLog {
  /// The number of bytes that a row of a store's commit may have.
  static let mostLogged = 4 << 20
  /// The number of versions that the change log keeps.
  static let mostVersions: Int64 = 10_000
  /// The numbers of rows of tools, and of their bytes, from which on no further version is deleted
  /// at once.
  ///
  /// Other writers wait meanwhile. It takes about a second.
  private static let mostDeleted = (rows: 200_000, bytes: 256 << 20)
  /// The number of versions that are emptied at once.
  private static let mostEmptied = mostDeleted.bytes / mostLogged

  /// The SQL of the content of an emptied version, one byte.
  ///
  /// A function has the settings of the tool that calls it, so a backslash is written in this form,
  /// which no setting changes.
  static let emptied = #"E'\\x00'"#

  /// Returns SQL that deletes a table's rows through a version.
  static func deleting(through version: String, of table: String) -> String {
    "DELETE FROM \(table) WHERE version <= \(version)"
  }

  /// Returns SQL that empties the versions that no store would read, because those after them have
  /// too many bytes.
  ///
  /// Their tokens stay, by which the outcome of a commit is found. An empty version makes stores
  /// read their results again.
  static func emptyingUnread(of log: String) -> String {
    "UPDATE \(log) SET changes = \(emptied) WHERE octet_length(changes) > 1 AND version <= "
      + "(SELECT MAX(version) FROM (SELECT version, "
      + "SUM(octet_length(changes)) OVER (ORDER BY version DESC) AS bytes FROM \(log)) AS summed "
      + "WHERE bytes > \(ChangeLogObjects.mostBytesRead)) AND version IN "
      + "(SELECT version FROM \(log) "
      + "WHERE octet_length(changes) > 1 ORDER BY version LIMIT \(mostEmptied))"
  }

  /// Returns SQL that deletes the rows of tools that no store would read, because those after them
  /// are too many or have too many bytes.
  ///
  /// If there are very many, the oldest ones are deleted. So other writers don't wait for long.
  static func deletingUnread(of rows: String) -> String {
    let newest = "ORDER BY version DESC, place DESC"
    let oldest = "ORDER BY version, place"
    let (most, mostBytes) = (ChangeLogObjects.mostRowsRead, ChangeLogObjects.mostBytesRead)
    return "DELETE FROM \(rows) WHERE version <= (SELECT least(unread.version, "
      + "(SELECT MIN(version) FROM (SELECT version, "
      + "SUM(size) OVER oldest AS bytes, row_number() OVER oldest AS number "
      + "FROM (SELECT version, place, octet_length(content) AS size "
      + "FROM \(rows) \(oldest) LIMIT \(mostDeleted.rows + 1)) AS first "
      + "WINDOW oldest AS (\(oldest))) AS summed "
      + "WHERE bytes > \(mostDeleted.bytes) OR number > \(mostDeleted.rows))) "
      + "FROM (SELECT MAX(version) AS version FROM (SELECT version, "
      + "SUM(size) OVER newest AS bytes, row_number() OVER newest AS number "
      + "FROM (SELECT version, place, octet_length(content) AS size "
      + "FROM \(rows) \(newest) LIMIT \(most + 1)) AS few "
      + "WINDOW newest AS (\(newest))) AS summed "
      + "WHERE bytes > \(mostBytes) OR number > \(most)) AS unread "
      + "WHERE unread.version IS NOT NULL)"
  }
}
#endif

#if PostgreSQL
/// A write that fails if a policy or a trigger leaves out one of its rows.
///
/// The server reports no error for such a row. So the statement counts its rows, and raises an
/// error if one is missing. The transaction is undone then, although COMMIT is sent before there is
/// any answer.
enum CountedWrite {
  /// The code of the error, which a failed cast raises.
  static let code = "22P02"
  /// A text of the error's message.
  static let mark = "signalbox.row_left_out"

  /// Returns SQL that runs a write, and fails if it writes fewer rows than `count`.
  ///
  /// `there` is SQL that counts the rows that existed before. With it, writing as many rows as
  /// existed is enough: a tool's foreign key may have deleted some of `count`.
  static func sql(_ write: String, count: String, there: String? = nil) -> String {
    let isLess = ["COUNT(*) < \(count)"] + (there.map { ["COUNT(*) < (\($0))"] } ?? [])
    // The cast fails for `mark`, which isn't a number.
    return "WITH written AS (\(write) RETURNING 1) SELECT CAST(CASE WHEN "
      + isLess.joined(separator: " AND ") + " THEN '\(mark)' ELSE '1' END AS integer) FROM written"
  }
}
#endif

#if PostgreSQL
/// A write that fails if a policy or a trigger leaves out one of its rows.
///
/// The server reports no error for such a row. So the statement makes one of its number of rows,
/// and the transaction is undone, although COMMIT is sent before there is any answer.
enum CountedWrite {
  /// The code of the error, that of a cast.
  static let code = "22P02"
  /// A text of the error's message.
  static let mark = "signalbox.row_left_out"

  /// Returns SQL that runs a write, and fails if it writes fewer rows than `count`.
  ///
  /// If there is SQL for the number of rows that were `there` before, fewer than `count` will do:
  /// a tool's foreign key may have deleted one already.
  static func sql(_ write: String, count: String, there: String? = nil) -> String {
    let isLess = ["COUNT(*) < \(count)"] + (there.map { ["COUNT(*) < (\($0))"] } ?? [])
    // A cast of another text is the error.
    return "WITH written AS (\(write) RETURNING 1) SELECT CAST(CASE WHEN "
      + isLess.joined(separator: " AND ") + " THEN '\(mark)' ELSE '1' END AS integer) FROM written"
  }
}
#endif

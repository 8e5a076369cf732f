import SQLiteLibrary

/// A file as another program sees it, through SQLite's own functions.
final class RawDatabase {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private var handle: OpaquePointer?

  init(_ path: String, vfs: String? = nil) throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    guard sqlite3_open_v2(path, &handle, flags, vfs) == SQLITE_OK else { throw failure }
    giveTestKey(to: handle)
    // A store that closes has the file for itself for a moment.
    sqlite3_busy_timeout(handle, 60_000)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Has each statement fail that goes on for long, as where the file's pages lead to each other without end.
  func limitSteps() { sqlite3_progress_handler(handle, 1_000_000, { _ in 1 }, nil) }

  /// Takes text in double quotes for text, as older programs do.
  func allowQuotedTexts() { sb_sqlite_set_quoted_texts(handle, 1) }

  private var failure: Failure { Failure(description: String(cString: sqlite3_errmsg(handle))) }

  /// The rows, each value as text; nil for NULL.
  @discardableResult
  func rows(_ sql: String) throws -> [[String?]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
    defer { sqlite3_finalize(statement) }
    var rows: [[String?]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_DONE: return rows
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_text(statement, column).map { String(cString: $0) }
          })
      default: throw failure
      }
    }
  }

  /// The only value.
  func value(_ sql: String) throws -> String? { try rows(sql).first?.first ?? nil }
}

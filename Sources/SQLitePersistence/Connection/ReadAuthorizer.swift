@_spi(Storage) internal import EntityStore
internal import SQLiteLibrary

/// A check of what a statement would do, while SQLite prepares and runs it.
final class ReadAuthorizer {
  /// The beginnings of the names of SQLite's and the library's own tables.
  private static let internalNames = [
    "sqlite_", "pragma_", "signalbox_", "dbstat", "bytecode", "tables_used",
  ]

  static let onlyReads = "it does more than read; change objects in a commit"

  /// Functions that are for SQLite or the library itself, or for loading code.
  private static let refusedFunctions: Set = [
    "load_extension", "fts3_tokenizer", "rtreecheck", Connection.textFunction,
    Connection.matchFunction,
  ]

  /// The tables that may be read, or nil while everything is allowed.
  private var tables: Set<FoldedName>?
  /// The names of all tables and views of the file.
  private var inFile: Set<FoldedName> = []
  private(set) var refusal: String?

  /// Allows nothing but reading some tables.
  func restrict(to tables: Set<FoldedName>, inFile: Set<FoldedName>) {
    (self.tables, self.inFile, refusal) = (tables, inFile, nil)
  }

  /// Allows everything again.
  func lift() { (tables, inFile) = (nil, []) }

  /// Has SQLite ask this object about each access of the connection's statements.
  func install(on handle: OpaquePointer) {
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, _ in
        guard let context else { return SQLITE_DENY }
        let authorizer = Unmanaged<ReadAuthorizer>.fromOpaque(context).takeUnretainedValue()
        guard let tables = authorizer.tables else { return SQLITE_OK }
        let (first, second) = (
          first.map { String(cString: $0) }, second.map { String(cString: $0) }
        )
        return authorizer.allows(action, first ?? "", second ?? "", tables)
          ? SQLITE_OK : SQLITE_DENY
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func allows(
    _ action: Int32, _ name: String, _ part: String, _ tables: Set<FoldedName>
  ) -> Bool {
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return true
    case SQLITE_FUNCTION:
      if !Self.refusedFunctions.contains(FoldedName(part).text) { return true }
      refusal = refusal ?? "it calls \(part), which isn't for statements of an app; leave it out"
    case SQLITE_READ:
      let folded = FoldedName(name)
      if tables.contains(folded) { return true }
      let isInternal = Self.internalNames.contains { folded.text.hasPrefix($0) }
      // SQLite reports a table of which no column is read, and then also a part of the statement
      // that WITH has named.
      if part.isEmpty && !inFile.contains(folded) && !isInternal { return true }
      refusal =
        refusal
        ?? (isInternal
          ? "it reads \(name), which isn't a table of an entity; read entities only"
          : "it reads the table \(name); name the entity of that table in `reading:`")
    default: refusal = refusal ?? Self.onlyReads
    }
    return false
  }
}

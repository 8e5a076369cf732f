internal import EntityStore

/// The library's own tables in a file, as the SQL that creates them.
enum StoreTables {
  /// The format of these tables.
  ///
  /// A file with a higher one is refused.
  static let format: Int64 = 2
  static let metadata =
    "signalbox_metadata (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT"
  /// Each version has a random token.
  ///
  /// After a file was restored from a copy, the token distinguishes the version from another one
  /// with the same number. Triggers leave the token to SQLite.
  static let changeLog =
    "signalbox_log (version INTEGER PRIMARY KEY NOT NULL, changes BLOB, "
    + "token INTEGER NOT NULL DEFAULT (random())) STRICT"
  /// The change log of a file that 0.1.0 created, until the file is opened.
  static let earlierChangeLog =
    "signalbox_log (version INTEGER PRIMARY KEY NOT NULL, changes BLOB) STRICT"
  /// The migrations that have run.
  static let migrations = """
    signalbox_migrations
    (number INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT
    """
  /// The schemas that the entities' tables have had.
  static let schemas = """
    signalbox_schemas
    (number INTEGER PRIMARY KEY NOT NULL, entity TEXT NOT NULL, description TEXT NOT NULL) STRICT
    """
  /// The former names with which the file was opened; `entity` is NULL for the former names of
  /// entities.
  static let formerNames = """
    signalbox_names
    (number INTEGER PRIMARY KEY NOT NULL, entity TEXT, name TEXT NOT NULL, former TEXT NOT NULL) STRICT
    """
  /// The indexes of words, with the state of the file at which each was last up to date, and the
  /// number of words that it has.
  static let search = """
    signalbox_search
    (entity TEXT PRIMARY KEY NOT NULL, attributes TEXT NOT NULL, version INTEGER NOT NULL, token INTEGER NOT NULL, layout INTEGER NOT NULL, words INTEGER NOT NULL) STRICT
    """
  /// The commits that can be undone, or redone if `isRedo` is 1, in the order of their versions.
  static let history = """
    signalbox_history
    (origin INTEGER PRIMARY KEY NOT NULL, version INTEGER NOT NULL, isRedo INTEGER NOT NULL, name TEXT NOT NULL, old BLOB NOT NULL, new BLOB NOT NULL) STRICT
    """

  /// The texts that SQLite may store for each table, by the table's name.
  static let all: [String: [String]] = [
    "signalbox_metadata": [metadata], "signalbox_log": [changeLog, earlierChangeLog],
    "signalbox_migrations": [migrations], "signalbox_schemas": [schemas],
    "signalbox_names": [formerNames], "signalbox_search": [search],
    "signalbox_history": [history],
  ]

  /// The prefixes of the library's own tables, of SQLite's own, and of its functions that describe
  /// tables.
  ///
  /// A table with the name of such a function hides it.
  private static let reserved = ["signalbox_", "sqlite_", "pragma_"]

  /// Returns true if no table of an entity can have a name.
  static func isReserved(_ name: String) -> Bool {
    let name = name.lowercased()
    return reserved.contains(where: name.hasPrefix)
  }

  /// The prefix of the names of the indexes of words.
  static let searchPrefix = "signalbox_words "

  /// Returns the name of the index of an entity's words.
  ///
  /// It is quoted in the name, so that no other index has the name of a table that FTS5 creates.
  static func searchName(of entity: String) -> String { searchPrefix + SQL.quoted(entity) }

  /// Returns SQL that creates an index of words.
  static func search(_ name: String, columns count: Int) -> String {
    let columns = (0..<count).map { "t\($0)" }.joined(separator: ", ")
    return "CREATE VIRTUAL TABLE \(SQL.quoted(name)) USING fts5"
      + "(\(columns), content='', columnsize=0, tokenize='ascii')"
  }

  /// Returns true if this is the SQL of an index of words, or of a table that FTS5 creates for it.
  static func isSearchTable(_ name: String, _ sql: String) -> Bool {
    guard name.hasPrefix(searchPrefix) else { return false }
    // Each column has a comma behind it, and two of the three options do.
    let commas =
      sql.utf8.count { $0 == UInt8(ascii: ",") } - name.utf8.count { $0 == UInt8(ascii: ",") }
    if commas > 2, sql == search(name, columns: commas - 2) { return true }
    let shadows = [
      "_data": "(id INTEGER PRIMARY KEY, block BLOB)",
      "_idx": "(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID",
      "_config": "(k PRIMARY KEY, v) WITHOUT ROWID",
    ]
    return shadows.contains { suffix, columns in
      name.hasSuffix(suffix) && sql == "CREATE TABLE \(SQL.literal(name))\(columns)"
    }
  }
}

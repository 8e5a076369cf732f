/// The tables of a file that are the library's own, as the text that makes them.
enum StoreTables {
  static let metadata =
    "signalbox_metadata (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT"
  /// The change log.
  ///
  /// Each version has a token that is drawn for it. It tells the version from another one with its number in a file
  /// that was put back. Triggers leave it to SQLite.
  static let changeLog =
    "signalbox_log (version INTEGER PRIMARY KEY NOT NULL, changes BLOB, "
    + "token INTEGER NOT NULL DEFAULT (random())) STRICT"
  /// The change log of files that 0.1.0 has made, until they are opened.
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
  /// The former names that the file was opened with; `entity` is NULL for those of entities.
  static let formerNames = """
    signalbox_names
    (number INTEGER PRIMARY KEY NOT NULL, entity TEXT, name TEXT NOT NULL, former TEXT NOT NULL) STRICT
    """

  /// By their names, the text that SQLite may have of each.
  static let all: [String: [String]] = [
    "signalbox_metadata": [metadata], "signalbox_log": [changeLog, earlierChangeLog],
    "signalbox_migrations": [migrations], "signalbox_schemas": [schemas],
    "signalbox_names": [formerNames],
  ]
}

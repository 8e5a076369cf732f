/// The library's own tables in a file, as the SQL that creates them.
enum StoreTables {
  static let metadata =
    "signalbox_metadata (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT"
  /// The change log.
  ///
  /// Each version has a random token. After a file was restored from a copy, the token
  /// distinguishes the version from another one with the same number. Triggers leave the token to
  /// SQLite.
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

  /// The texts that SQLite may store for each table, by the table's name.
  static let all: [String: [String]] = [
    "signalbox_metadata": [metadata], "signalbox_log": [changeLog, earlierChangeLog],
    "signalbox_migrations": [migrations], "signalbox_schemas": [schemas],
    "signalbox_names": [formerNames],
  ]
}

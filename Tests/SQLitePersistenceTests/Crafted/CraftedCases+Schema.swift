extension CraftedCase {
  private static let attach =
    "; ATTACH ''victim.db'' AS v; UPDATE v.accounts SET balance = 0; ATTACH ''pwned.db'' AS p; "
    + "CREATE TABLE p.t(x)"
  private static let loose =
    "UPDATE sqlite_master SET sql = replace(sql, '\"name\" TEXT NOT NULL', '\"name\" TEXT') "
    + "WHERE name = 'Letter'"

  private static func behind(_ kind: String, _ make: String, _ more: String) -> CraftedCase {
    CraftedCase("\(kind) with \(more.prefix(12)) behind", .either) { path in
      try edit(path, make)
      try editSchema(
        path,
        [loose, "UPDATE sqlite_master SET sql = sql || '\(more)' WHERE name = 'extra'"])
    }
  }

  /// What the text of tables, indexes, triggers and views may say.
  static let schemas: [CraftedCase] = [
    behind("index", "CREATE INDEX extra ON Letter(name)", attach),
    behind("index", "CREATE INDEX extra ON Letter(name)", "; COMMIT" + attach + "; BEGIN"),
    behind("trigger", "CREATE TRIGGER extra AFTER DELETE ON Letter BEGIN SELECT 1; END", attach),
    behind("view", "CREATE VIEW extra AS SELECT 1", attach),
    behind("table", "CREATE TABLE extra (x)", attach),
    behind("index", "CREATE INDEX extra ON Letter(name)", "; PRAGMA writable_schema=ON"),
    behind("index", "CREATE INDEX extra ON Letter(name)", " -- a comment"),
    text(
      "an index whose text makes a table", .either, loose,
      "INSERT INTO sqlite_master VALUES ('index', 'extra', 'Letter', 0, 'CREATE TABLE extra (x)')"),
    text(
      "an index whose text makes a view", .either, loose,
      "INSERT INTO sqlite_master VALUES ('index', 'extra', 'Letter', 0, 'CREATE VIEW extra AS SELECT 1')"
    ),
    text(
      "a trigger whose text makes an index", .either, loose,
      "INSERT INTO sqlite_master VALUES ('trigger', 'extra', 'Letter', 0, 'CREATE INDEX e ON Letter(name)')"
    ),
    text(
      "an index of a table that isn't there", .either,
      "UPDATE sqlite_master SET tbl_name = 'Other' WHERE name LIKE 'sqlite_autoindex_Stamp_%'"),
    text(
      "an object of no kind", .refused,
      "INSERT INTO sqlite_master VALUES ('thing', 'extra', 'Letter', 0, 'CREATE TABLE t (x)')"),
    text(
      "text that is ATTACH alone", .refused,
      "INSERT INTO sqlite_master VALUES ('trigger', 'extra', 'Letter', 0, 'ATTACH ''victim.db'' AS v')"
    ),
    text(
      "an object without text", .refused,
      "INSERT INTO sqlite_master VALUES ('table', 'extra', 'extra', 0, NULL)"),
    text(
      "text as a blob", .either,
      "UPDATE sqlite_master SET sql = CAST(sql AS BLOB) WHERE name = 'Letter'"),
    text(
      "names as blobs", .either,
      "UPDATE sqlite_master SET name = CAST(name AS BLOB) WHERE name = 'Letter'"),
    text(
      "text with a NUL", .either,
      "UPDATE sqlite_master SET sql = sql || char(0) || 'x' WHERE name = 'Letter'"),
    text(
      "a table twice", .either,
      "INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = 'Letter'"),
    text(
      "two tables on one page", .either,
      "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'Stamp') "
        + "WHERE name = 'Letter'"),
    text(
      "our log on an entity's page", .either,
      "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'Letter') "
        + "WHERE name = 'signalbox_log'"),
    text(
      "an index on a table's page", .either,
      "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'Letter') "
        + "WHERE name LIKE 'signalbox_index%'"),
    text(
      "a root page that isn't there", .either,
      "UPDATE sqlite_master SET rootpage = 99999 WHERE name = 'Letter'"),
    text(
      "the root page 1", .either, "UPDATE sqlite_master SET rootpage = 1 WHERE name = 'Letter'"),
    text(
      "a negative root page", .either,
      "UPDATE sqlite_master SET rootpage = -5 WHERE name = 'Letter'"),
    text(
      "our log with another text", .refused,
      "UPDATE sqlite_master SET sql = replace(sql, 'changes BLOB', 'changes BLOB DEFAULT (randomblob(9))') "
        + "WHERE name = 'signalbox_log'"),
    text(
      "our metadata as a virtual table", .refused,
      "UPDATE sqlite_master SET rootpage = 0, sql = 'CREATE VIRTUAL TABLE signalbox_metadata USING fts5(name, value)' "
        + "WHERE name = 'signalbox_metadata'"),
    text(
      "a virtual table with a comment in its text", .refused,
      "UPDATE sqlite_master SET rootpage = 0, sql = 'CREATE/**/VIRTUAL TABLE Letter USING fts5(id, name, note)' "
        + "WHERE name = 'Letter'"),
    text(
      "a name of 100,000 letters", .either,
      "UPDATE sqlite_master SET sql = replace(sql, '\"note\"', '\"' || hex(zeroblob(50000)) || '\"') "
        + "WHERE name = 'Letter'"),
    text("no NOT NULL", .right, loose),
    text(
      "an expression 900 deep in a check", .either,
      "UPDATE sqlite_master SET sql = replace(sql, '\"note\" TEXT', '\"note\" TEXT CHECK (' || "
        + "replace(hex(zeroblob(900)), '00', '(') || '1' || replace(hex(zeroblob(900)), '00', ')') || ')') "
        + "WHERE name = 'Letter'"),
  ]

  private static let columns = "id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, note TEXT"

  /// What may stand in the place of a table.
  static let tables: [CraftedCase] = [
    table("FTS5", .refused, "CREATE VIRTUAL TABLE Letter USING fts5(id, name, note)"),
    table("R-Tree", .refused, "CREATE VIRTUAL TABLE Letter USING rtree(id, name, note)"),
    table("a view", .refused, "CREATE VIEW Letter AS SELECT 1 AS id, 'a' AS name, NULL AS note"),
    table(
      "a view with recursion", .refused,
      "CREATE VIEW Letter AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c) "
        + "SELECT id, 'a' AS name, NULL AS note FROM c"),
    table("WITHOUT ROWID", .refused, "CREATE TABLE Letter (\(columns)) WITHOUT ROWID", fill: true),
    table(
      "WITHOUT ROWID, STRICT", .refused,
      "CREATE TABLE Letter (\(columns)) STRICT, WITHOUT ROWID", fill: true),
    table(
      "a generated column", .refused,
      "CREATE TABLE Letter (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, note TEXT AS (hex(zeroblob(9))))"
    ),
    table(
      "a stored generated column", .refused,
      "CREATE TABLE Letter (\(columns), more TEXT AS (name) STORED)", fill: true),
    table(
      "an index of the name", .refused, "CREATE INDEX Letter ON Stamp(value)"),
    table("not STRICT", .right, "CREATE TABLE Letter (\(columns))", fill: true),
    table(
      "no types", .right, "CREATE TABLE Letter (id INTEGER PRIMARY KEY, name, note)", fill: true),
    table(
      "a column more", .refused, "CREATE TABLE Letter (\(columns), more TEXT) STRICT", fill: true),
    table(
      "another affinity", .refused,
      "CREATE TABLE Letter (id INTEGER PRIMARY KEY, name NUMERIC, note DATETIME)", fill: true),
    table(
      "an order of text", .right,
      "CREATE TABLE Letter (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL COLLATE NOCASE, "
        + "note TEXT COLLATE RTRIM) STRICT", fill: true),
    table(
      "a check", .right,
      "CREATE TABLE Letter (\(columns), CHECK (length(name) < 9)) STRICT", fill: true),
    table(
      "a check that is never met", .either,
      "CREATE TABLE Letter (\(columns), CHECK (name = 'never')) STRICT"),
    table(
      "ON CONFLICT IGNORE", .right,
      "CREATE TABLE Letter (id INTEGER PRIMARY KEY ON CONFLICT IGNORE NOT NULL, name TEXT NOT NULL, "
        + "note TEXT UNIQUE ON CONFLICT REPLACE) STRICT", fill: true),
    table(
      "AUTOINCREMENT", .right,
      "CREATE TABLE Letter (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT NOT NULL, note TEXT) STRICT",
      fill: true),
    table(
      "defaults that call functions", .right,
      "CREATE TABLE Letter (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL DEFAULT (load_extension('x')), "
        + "note TEXT DEFAULT (hex(randomblob(9)))) STRICT", fill: true),
    sql(
      "a trigger that deletes", .right,
      "CREATE TRIGGER extra AFTER INSERT ON Letter BEGIN DELETE FROM Letter; END"),
    sql(
      "a trigger on our log", .right,
      "CREATE TRIGGER extra AFTER INSERT ON signalbox_log BEGIN DELETE FROM Letter; END"),
    sql(
      "triggers without end", .right,
      "CREATE TRIGGER extra AFTER UPDATE ON Letter BEGIN UPDATE Letter SET name = name || 'x'; END"),
    sql(
      "an index on our log", .refused,
      "CREATE INDEX extra ON signalbox_log(changes)"),
    sql(
      "an index with an expression", .right,
      "CREATE INDEX extra ON Letter(hex(name), id + 1)"),
    sql(
      "a partial index", .right,
      "CREATE INDEX extra ON Letter(note) WHERE note IS NOT NULL"),
    sql(
      "an index that makes much of little", .refused,
      "CREATE INDEX extra ON Letter(length(hex(zeroblob(100 + id))))"),
    sql(
      "a partial index that makes much of little", .refused,
      "CREATE INDEX extra ON Letter(id) WHERE length(replace(name, 'A', 'AA')) > 9"),
    sql(
      "an index with a quoted function", .refused,
      "CREATE INDEX extra ON Letter(note, \"length\"(name))"),
    sql(
      "an index that doubles thrice", .refused,
      "CREATE INDEX extra ON Letter(hex(hex(hex(name))))"),
    sql(
      "an index with harmless functions", .right,
      "CREATE INDEX extra ON Letter(lower(trim(name)), (id + (1)) DESC, CAST(note AS VARCHAR(9))) "
        + "WHERE name IN ('Ann', 'Bob') AND (note > '(' OR NOT (id = 1))"),
    sql(
      "a unique index of another order", .refused,
      "CREATE UNIQUE INDEX extra ON Stamp(id COLLATE NOCASE)"),
    text(
      "our index with another order", .right,
      "UPDATE sqlite_master SET sql = replace(sql, '(\"note\")', '(\"note\" COLLATE NOCASE)') "
        + "WHERE name LIKE 'signalbox_index on \"Letter\"%'"),
    text(
      "our index with a condition", .right,
      "UPDATE sqlite_master SET sql = sql || ' WHERE length(note) > 3' "
        + "WHERE name LIKE 'signalbox_index on \"Letter\"%'"),
    sql(
      "a partial unique index", .refused,
      "CREATE UNIQUE INDEX extra ON Letter(name) WHERE note IS NOT NULL"),
    sql("a table that hides a function", .refused, "CREATE TABLE pragma_table_info (x)"),
    sql("a view that hides a function", .refused, "CREATE VIEW pragma_table_xinfo AS SELECT 1"),
    sql("a table in the way of a migration's", .refused, "CREATE TABLE signalbox_rebuilt (x)"),
    sql("no log", .refused, "DROP TABLE signalbox_log"),
    sql("no metadata", .refused, "DROP TABLE signalbox_metadata"),
    sql("no schemas", .either, "DROP TABLE signalbox_schemas"),
    sql("a full-text table beside", .right, "CREATE VIRTUAL TABLE texts USING fts5(x)"),
    .sql(
      "an index that looks for one text in another", .refused,
      "CREATE INDEX extra ON Letter(instr(name, note))"),
    .sql(
      "an index that trims what a column says", .refused,
      "CREATE INDEX extra ON Letter(trim(name, note))"),
    .sql(
      "an index that compares with a pattern", .refused,
      "CREATE INDEX extra ON Letter(name LIKE '%a%b%c%d%e')"),
    .sql(
      "an index of what is like a pattern", .refused,
      "CREATE INDEX extra ON Letter(name) WHERE note GLOB '*a*b*c'"),
    .sql(
      "an index that compares by a pattern, in a denial", .refused,
      "CREATE INDEX extra ON Letter(name) WHERE NOT (note NOT LIKE 'a%')"),
    .sql("an index that trims", .right, "CREATE INDEX extra ON Letter(trim(name))"),
    CraftedCase("views in views, deeper than a stack", .right) { path in
      let file = try RawDatabase(path)
      try file.rows("BEGIN")
      try file.rows("CREATE VIEW v0 AS SELECT * FROM Letter")
      for place in 1...12_000 {
        try file.rows("CREATE VIEW v\(place) AS SELECT * FROM v\(place - 1)")
      }
      try file.rows("COMMIT")
    },
  ]
}

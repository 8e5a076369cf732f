extension CraftedCase {
  private static func log(_ name: String, _ outcome: Outcome, _ values: String...) -> CraftedCase {
    CraftedCase(name, outcome) { path in
      let file = try RawDatabase(path)
      for value in values {
        try file.rows("INSERT OR REPLACE INTO signalbox_log (version, changes) VALUES (\(value))")
      }
    }
  }

  /// What our own tables, and rows, may have.
  static let contents: [CraftedCase] = [
    log("the highest version", .refused, "9223372036854775807, NULL"),
    log("nearly the highest version", .refused, "9223372036854775806, NULL"),
    log("a version above 2^62", .refused, "4611686018427387905, NULL"),
    log("a version of 2^62", .refused, "4611686018427387904, NULL"),
    sql(
      "the lowest version alone", .refused, "DELETE FROM signalbox_log",
      "INSERT INTO signalbox_log (version) VALUES (-9223372036854775808)"),
    log("a negative version beside others", .right, "-5, x'01'"),
    log("a gap of versions", .right, "100, x'01'"),
    sql("no versions", .right, "DELETE FROM signalbox_log"),
    log("a log row of rubbish", .right, "2, x'FFFFFFFFFFFFFFFFFFFF'"),
    log("a log row with a length that is too long", .right, "2, x'01FFFFFFFFFFFFFFFF7F'"),
    log("a log row that ends early", .right, "2, x'01064C65747465'"),
    log("a trigger's row of rubbish", .right, "2, CAST('Tzz,0;' AS BLOB)"),
    log("a trigger's row without end", .right, "2, CAST('T4C6574746572,' AS BLOB)"),
    log("a log row of a megabyte", .right, "2, zeroblob(1000000)"),
    sql("metadata without the format", .refused, "DELETE FROM signalbox_metadata"),
    sql("a later format", .refused, "UPDATE signalbox_metadata SET value = 9223372036854775807"),
    sql(
      "a negative format", .refused, "UPDATE signalbox_metadata SET value = -9223372036854775808"),
    sql(
      "more metadata", .right,
      "INSERT INTO signalbox_metadata VALUES ('more', 1), ('x' || hex(zeroblob(50000)), 2)"),
    sql(
      "metadata whose names aren't UTF-8", .right,
      "INSERT INTO signalbox_metadata VALUES (CAST(x'FFFE' AS TEXT), 1), (CAST(x'610062' AS TEXT), 1)"
    ),
    sql(
      "migrations whose names aren't UTF-8", .refused,
      "INSERT INTO signalbox_migrations (name) VALUES (CAST(x'FFFE00' AS TEXT))"),
    sql(
      "a schema of another form", .either,
      "UPDATE signalbox_schemas SET description = hex(zeroblob(100000))"),
    sql(
      "former names of rubbish", .right,
      "INSERT INTO signalbox_names (entity, name, former) VALUES (NULL, 'Letter', 'Stamp'), "
        + "('Letter', 'name', 'note'), (CAST(x'FF' AS TEXT), '', '')"),
    sql(
      "negative row numbers", .either,
      "INSERT INTO Letter VALUES (-1, 'x', NULL), (-9223372036854775808, 'y', 'n')"),
    sql("text that isn't UTF-8", .either, "UPDATE Letter SET name = CAST(x'FFFE41' AS TEXT)"),
    sql("text with NUL", .either, "UPDATE Letter SET name = 'a' || char(0) || 'b'"),
    sql("infinity", .either, "UPDATE Stamp SET value = 9e999 WHERE id = 'a'"),
    CraftedCase("blobs where text is", .either) { path in
      try editSchema(
        path, ["UPDATE sqlite_master SET sql = replace(sql, 'STRICT', '') WHERE name = 'Letter'"])
      try edit(path, "UPDATE Letter SET name = x'00FF', note = 1.5")
    },
    CraftedCase("numbers as text, and nothing", .either) { path in
      try editSchema(
        path,
        [
          "UPDATE sqlite_master SET sql = replace(replace(sql, 'STRICT', ''), 'NOT NULL', '') "
            + "WHERE name = 'Stamp'"
        ])
      try edit(path, "UPDATE Stamp SET id = NULL, value = 'x', letter = 'y' WHERE id = 'a'")
    },
    CraftedCase("an index with more than its table", .either) { path in
      try edit(
        path, "INSERT INTO Letter VALUES (-1, 'c', NULL), (-2, 'd', NULL), (-3, 'e', NULL)",
        "CREATE TABLE short (id INTEGER PRIMARY KEY NOT NULL, name TEXT, note TEXT) STRICT",
        "INSERT INTO short VALUES (-1, 'c', NULL)")
      try editSchema(
        path,
        [
          "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'short') "
            + "WHERE name = 'Letter'", "DELETE FROM sqlite_master WHERE name = 'short'",
        ])
    },
    CraftedCase("an index without entries", .either) { path in
      try edit(path, "CREATE INDEX extra ON Stamp(letter, id)")
      try edit(path, "DELETE FROM Stamp")
      try editSchema(
        path,
        [
          "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'extra') "
            + "WHERE name LIKE 'signalbox_index on \"Letter\"%'",
          "DELETE FROM sqlite_master WHERE name = 'extra'",
        ])
    },
    CraftedCase("statistics that lie", .right) { path in
      try edit(path, "ANALYZE", "DELETE FROM sqlite_stat1")
      try edit(
        path,
        "INSERT INTO sqlite_stat1 VALUES ('Letter', NULL, '99999999999999999999'), "
          + "('Letter', 'nothing', 'x y z'), (x'00', x'01', x'02'), "
          + "('Stamp', 'sqlite_autoindex_Stamp_1', '-1 -1')")
    },
  ]
}

@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The triggers on an entity's table, which log the writes of other tools (P5).
///
/// They are plain SQL, which every program runs when it writes to the table. A store's own
/// connections have them switched off.
///
/// They log before a row changes. A tool may have its own triggers, which may write to the same row
/// after a change. If the change were logged afterwards, those writes would be logged before it.
/// `OR REPLACE` deletes rows without running a trigger, so the rows that a new row may replace are
/// logged with it. An id that SQLite gives isn't known in advance. Such a row is logged once more
/// when it exists.
///
/// They also delete rows of the change log that no store would read any more, since tools may write
/// for a long time while no store makes a commit.
enum ChangeLogTriggers {
  /// Creates the triggers that are missing or differ from the required ones.
  static func install(on entity: EntityDescription, _ connection: Connection) throws {
    let found = try sql(on: entity.name, connection)
    let wanted = wanted(ChangeLogLayout(entity))
    let isKept = Set(wanted.filter { found[$0.name] == $0.sql }.map(\.name))
    // The triggers of a table that had another name are dropped first. The names may differ only in
    // case.
    for name in found.keys where !isKept.contains(name) {
      try connection.execute("DROP TRIGGER \(SQL.quoted(name))")
    }
    for (name, sql) in wanted where !isKept.contains(name) {
      // A tool that has renamed the table, and created another one, has taken the trigger along.
      try connection.execute("DROP TRIGGER IF EXISTS \(SQL.quoted(name))")
      try connection.execute(sql)
    }
  }

  /// Returns true if an entity's table has all of its triggers.
  ///
  /// A tool that recreates the table leaves them out. A tool that renames it takes them along, with
  /// their names.
  static func areThere(for entity: EntityDescription, in schema: FileSchema) -> Bool {
    let table = FoldedName(entity.name)
    let found = Set(
      schema.objects.lazy.filter { $0.kind == "trigger" && FoldedName($0.table) == table }
        .map { FoldedName($0.name) })
    return wanted(ChangeLogLayout(entity)).allSatisfy { found.contains(FoldedName($0.name)) }
  }

  /// Returns true if another program has recreated an entity's table.
  ///
  /// The change log then contains nothing about the table's present and former rows.
  static func areLost(on entity: EntityDescription, in schema: FileSchema) -> Bool {
    let name = FoldedName(entity.name)
    guard schema.object(name)?.isTable ?? false else { return false }
    return !schema.objects.contains {
      $0.kind == "trigger" && FoldedName($0.table) == name && $0.name.hasPrefix(prefix)
    }
  }

  /// Returns the table that has the triggers of a table with a name, or nil if the file has none.
  static func place(of table: String, _ connection: Connection) throws -> String? {
    try connection.texts(
      "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND lower(name) = lower(?)",
      [.text(name("before delete", SQL.quoted(table)))]
    ).last
  }

  private static func name(_ event: String, _ quotedTable: String) -> String {
    "\(prefix)\(event) on \(quotedTable)"
  }

  /// The statement that deletes the rows before those that are read at once.
  ///
  /// A store reads only the token of the first row that stays.
  private static let trimming =
    "DELETE FROM signalbox_log WHERE version < (SELECT MAX(version) FROM signalbox_log) - "
    + "\(ChangeLogObjects.mostRowsRead)"

  private static let prefix = "signalbox_trigger "
  /// The alias of the table in a trigger's SELECT.
  ///
  /// The table's own name may be `OLD` or `NEW`.
  private static let alias = "signalbox_row"

  /// Returns the existing triggers, with their SQL.
  private static func sql(on table: String, _ connection: Connection) throws -> [String: String] {
    var found: [String: String] = [:]
    try connection.query(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = lower(?)"
    ).run([.text(table)]) {
      let name = $0.value(0).description
      if name.hasPrefix(prefix) { found[name] = $0.value(1).description }
    }
    return found
  }

  /// Returns the required triggers, with their SQL.
  private static func wanted(_ layout: ChangeLogLayout) -> [(name: String, sql: String)] {
    let table = layout.entity.quotedName
    let identity = layout.identity.map { SQL.quoted(layout.places[$0].name) }
    let isSameRow = (identity + layout.rowNumberNames)
      .map { "NEW.\($0) IS OLD.\($0)" }.joined(separator: " AND ")
    let isOther = identity.map { "\(alias).\($0) IS NOT OLD.\($0)" }.joined(separator: " OR ")
    let old = TriggerRow.replaced(layout, "OLD")
    let new = TriggerRow.inserted(layout)
    let saved = TriggerRow.replaced(layout, alias)
    func all(_ condition: String) -> String {
      "COALESCE((SELECT group_concat(\(saved), '') FROM \(table) AS \(alias) WHERE \(condition)), '')"
    }
    var bodies = [
      ("before delete", "VALUES (\(TriggerRow.blob(layout, [old])))"),
      (
        "before update",
        "VALUES (\(TriggerRow.blob(layout, [old, all("\(replaceable(layout)) AND (\(isOther))"), "CASE WHEN \(isSameRow) THEN '' ELSE \(new) END"])))"
      ),
    ]
    if layout.givesIDs {
      // Before an insertion, an id that SQLite is going to give is -1.
      let id = "NEW.\(identity[0])"
      bodies += [
        (
          "before insert",
          "VALUES (\(TriggerRow.blob(layout, [all(replaceable(layout)), "CASE \(id) WHEN -1 THEN '\(TriggerRow.givingID)' ELSE \(new) END"])))"
        ),
        (
          "after insert",
          "SELECT \(TriggerRow.blob(layout, [TriggerRow.given(layout)])) WHERE \(TriggerRow.isLast(layout, new)) IS NOT TRUE"
        ),
      ]
    } else {
      bodies.append(
        ("before insert", "VALUES (\(TriggerRow.blob(layout, [all(replaceable(layout)), new])))"))
    }
    return bodies.map { event, body in
      let name = name(event, layout.entity.quotedName)
      // The text as SQLite stores it: its own first two words, and then the given text.
      return (
        name,
        "CREATE TRIGGER \(SQL.quoted(name)) \(event) ON \(table) BEGIN "
          + "INSERT INTO signalbox_log (changes) \(body); \(trimming); END"
      )
    }
  }

  /// Returns SQL that is true for a row of the table that the new row may replace.
  private static func replaceable(_ layout: ChangeLogLayout) -> String {
    let entity = layout.entity
    let keys = [[entity.identity]] + entity.uniqueKeys
    var conditions = keys.map { key in
      entity.sqlColumns(of: key)
        .map { "\(alias).\($0.quotedName) = NEW.\($0.quotedName)" }
        .joined(separator: " AND ")
    }
    // A tool may give the row number, too.
    if !layout.givesIDs {
      conditions += layout.rowNumberNames.map { "\(alias).\($0) = NEW.\($0)" }
    }
    return "(" + conditions.map { "(\($0))" }.joined(separator: " OR ") + ")"
  }
}

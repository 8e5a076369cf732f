internal import EntityStore

/// The triggers of an entity's table, by which the log gets a row of what other tools write (P5).
///
/// They are plain SQL, which any program runs that writes to the table; a store's own connections have
/// them switched off.
///
/// They log before a row changes. A tool may have triggers of its own, and what those write to the same
/// row after a change would else be logged before that change. `OR REPLACE` deletes rows without a
/// trigger, so those that a new row may replace are logged with it. Only an id that SQLite gives isn't
/// known before: such a row is logged once more when it is there.
enum ChangeLogTriggers {
  /// Makes those that aren't there, or aren't as they should be.
  static func install(on entity: EntityDescription, _ connection: Connection) throws {
    let found = try sql(on: entity.name, connection)
    let wanted = wanted(ChangeLogLayout(entity))
    let isKept = Set(wanted.filter { found[$0.name] == $0.sql }.map(\.name))
    // Those of a table that had another name go first: it may differ by large letters alone.
    for name in found.keys where !isKept.contains(name) {
      try connection.execute("DROP TRIGGER \(SQLName.quoted(name))")
    }
    for (name, sql) in wanted where !isKept.contains(name) { try connection.execute(sql) }
  }

  /// Whether a file has those of an entity's table; a tool that makes the table again leaves them out.
  static func areThere(for entity: EntityDescription, in schema: FileSchema) -> Bool {
    let found = Set(schema.objects.lazy.filter { $0.kind == "trigger" }.map { FoldedName($0.name) })
    return wanted(ChangeLogLayout(entity)).allSatisfy { found.contains(FoldedName($0.name)) }
  }

  /// Whether another program has made an entity's table again: then nothing is logged of what it has, and has had.
  static func areLost(on entity: EntityDescription, in schema: FileSchema) -> Bool {
    let name = FoldedName(entity.name)
    guard schema.object(name)?.isTable ?? false else { return false }
    return !schema.objects.contains {
      $0.kind == "trigger" && FoldedName($0.table) == name && $0.name.hasPrefix(prefix)
    }
  }

  /// Takes them away, so that the table's columns can be renamed or dropped.
  static func remove(from table: String, _ connection: Connection) throws {
    for name in try sql(on: table, connection).keys {
      try connection.execute("DROP TRIGGER \(SQLName.quoted(name))")
    }
  }

  private static let prefix = "signalbox_trigger "
  /// The table in a trigger's SELECT: its own name may be `OLD` or `NEW`.
  private static let alias = "signalbox_row"

  /// Those that there are, with their SQL.
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

  /// Those that there should be.
  private static func wanted(_ layout: ChangeLogLayout) -> [(name: String, sql: String)] {
    let table = layout.entity.quotedName
    let identity = layout.identity.map { SQLName.quoted(layout.places[$0].name) }
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
      // Where SQLite is to give the id it says -1 before.
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
      let name = "\(prefix)\(event) on \(table)"
      // As SQLite keeps it: its own two words, and then what was given.
      return (
        name,
        "CREATE TRIGGER \(SQLName.quoted(name)) \(event) ON \(table) BEGIN "
          + "INSERT INTO signalbox_log (changes) \(body); END"
      )
    }
  }

  /// Says of a row of the table that the new one could take its place.
  private static func replaceable(_ layout: ChangeLogLayout) -> String {
    let entity = layout.entity
    let keys = [[entity.identity]] + entity.uniqueKeys
    var conditions = keys.map { key in
      entity.sqlColumns(of: key)
        .map { "\(alias).\($0.quotedName) = NEW.\($0.quotedName)" }
        .joined(separator: " AND ")
    }
    // A tool may say the row's number, too.
    if !layout.givesIDs {
      conditions += layout.rowNumberNames.map { "\(alias).\($0) = NEW.\($0)" }
    }
    return "(" + conditions.map { "(\($0))" }.joined(separator: " OR ") + ")"
  }
}

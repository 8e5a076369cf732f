internal import EntityStore

/// The triggers of an entity's table, by which the log gets a row of what other tools write (P5).
///
/// They are plain SQL, which any program runs that writes to the table; a store's own connections have
/// them switched off. `OR REPLACE` deletes rows without a trigger, so those that a new row may replace
/// are saved before.
enum LogTriggers {
  /// Makes those that aren't there, or aren't as they should be.
  static func install(on entity: EntityDescription, _ connection: Connection) throws {
    let found = try sql(on: entity.name, connection)
    let wanted = wanted(LogLayout(entity))
    let isKept = Set(wanted.filter { found[$0.name] == $0.sql }.map(\.name))
    // Those of a table that had another name go first: it may differ by large letters alone.
    for name in found.keys where !isKept.contains(name) {
      try connection.execute("DROP TRIGGER \(SQLName.quoted(name))")
    }
    for (name, sql) in wanted where !isKept.contains(name) { try connection.execute(sql) }
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
  private static func wanted(_ layout: LogLayout) -> [(name: String, sql: String)] {
    let table = layout.entity.quotedName
    let identity = layout.identity.map { SQLName.quoted(layout.places[$0].name) }
    let isSameID = identity.map { "NEW.\($0) IS OLD.\($0)" }.joined(separator: " AND ")
    let replaced = TriggerRow.replaced(layout, "OLD")
    let inserted = TriggerRow.inserted(layout)
    let saved =
      "SELECT \(TriggerRow.blob(layout, [TriggerRow.replaced(layout, alias)])) FROM \(table) AS \(alias) "
      + "WHERE \(replaceable(layout))"
    let isOther = identity.map { "\(alias).\($0) IS OLD.\($0)" }.joined(separator: " AND ")
    let bodies = [
      ("before insert", saved),
      ("after insert", "VALUES (\(TriggerRow.blob(layout, [inserted])))"),
      ("before update", "\(saved) AND NOT (\(isOther))"),
      (
        "after update",
        "VALUES (\(TriggerRow.blob(layout, [replaced, "CASE WHEN \(isSameID) THEN '' ELSE \(inserted) END"])))"
      ),
      ("after delete", "VALUES (\(TriggerRow.blob(layout, [replaced])))"),
    ]
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
  private static func replaceable(_ layout: LogLayout) -> String {
    let entity = layout.entity
    let keys = [[entity.identity]] + entity.uniqueKeys
    let conditions = keys.map { key in
      entity.sqlColumns(of: key)
        .map { "\(alias).\($0.quotedName) = NEW.\($0.quotedName)" }
        .joined(separator: " AND ")
    }
    return "(" + conditions.map { "(\($0))" }.joined(separator: " OR ") + ")"
  }
}

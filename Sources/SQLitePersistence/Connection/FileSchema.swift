internal import EntityStore

/// The definitions of a file's tables as text, which are checked before they are used.
///
/// SQLite builds its tables from the text without running it. A definition that the library would
/// never write is refused.
struct FileSchema {
  /// A table, index, trigger or view.
  struct Object {
    let kind: String
    let name: String
    let table: String
    let sql: String
    let words: SQLWords

    var isUniqueIndex: Bool { words.begins(with: ["CREATE", "UNIQUE", "INDEX"]) }
    var isVirtual: Bool { words.begins(with: ["CREATE", "VIRTUAL"]) }
    /// True if it is an index of words of the library's own, or a part of one.
    var isSearchTable: Bool { StoreTables.isSearchTable(name, sql) }
    var isTable: Bool { kind == "table" && words.begins(with: ["CREATE", "TABLE"]) }
    var hasRowNumbers: Bool { !words.tail.contains("WITHOUT") }
    /// True if values must have the types of their columns.
    var isStrict: Bool { words.tail.contains("STRICT") }
    /// True if the table has rules that no schema has: checks, collations and conflict clauses.
    var hasOtherRules: Bool { hasOtherRules(besidesColumns: []) }

    /// Returns true if the table has such rules outside the definitions of some columns.
    ///
    /// The columns are given by their positions. In the text of a table, SQLite keeps all columns
    /// before the table's own constraints.
    func hasOtherRules(besidesColumns columns: Set<Int>) -> Bool {
      var (depth, place) = (0, 0)
      for word in words.words {
        switch word {
        case "(": depth += 1
        case ")": depth -= 1
        case "," where depth == 1: place += 1
        case "CHECK", "COLLATE", "CONFLICT": if !columns.contains(place) { return true }
        default: break
        }
      }
      return false
    }
  }

  private let path: String
  private(set) var objects: [Object] = []
  /// The positions of tables, views and indexes, by their names.
  private var positions: [FoldedName: Int] = [:]
  /// The positions of the indexes of each table.
  private var indexPositions: [FoldedName: [Int]] = [:]
  /// True if SQLite's own list of tables may be read.
  ///
  /// To make that list, SQLite counts the columns of views and virtual tables.
  private var mayBeListed = false

  /// Reads the definitions in the file.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if SQLite would never have written one of
  ///   them.
  init(_ connection: Connection) throws {
    path = connection.path
    connection.definitionReads += 1
    var objects: [Object] = []
    var strange: String?
    try connection.query("SELECT type, name, tbl_name, sql FROM sqlite_master").run {
      guard case .text(let kind) = $0.value(0), case .text(let name) = $0.value(1),
        case .text(let table) = $0.value(2)
      else { return strange = strange ?? $0.value(1).description }
      // Indexes that SQLite creates automatically have no text.
      if kind == "index", $0.value(3).isNull { return }
      guard case .text(let sql) = $0.value(3), !sql.utf8.contains(0) else {
        return strange = strange ?? name
      }
      let object = Object(kind: kind, name: name, table: table, sql: sql, words: SQLWords(sql))
      if !Self.isPlain(object) { strange = strange ?? name }
      objects.append(object)
    }
    if let strange {
      throw fault(
        .corrupt,
        "what it says of \"\(strange)\" is no single statement that makes that, as SQLite writes it; put back a "
          + "copy")
    }
    self.objects = objects
    for (position, object) in objects.enumerated() where object.kind != "trigger" {
      let name = FoldedName(object.name)
      if positions[name] == nil { positions[name] = position }
      guard object.kind == "index" else { continue }
      indexPositions[FoldedName(object.table), default: []].append(position)
    }
    mayBeListed = objects.allSatisfy {
      $0.kind != "view" && (!$0.isVirtual || $0.isSearchTable)
    }
  }

  private static func isPlain(_ object: Object) -> Bool {
    let words = object.words
    switch object.kind {
    case "table":
      return !words.contains(";") && (object.isTable || object.isVirtual)
    case "view": return !words.contains(";") && words.begins(with: ["CREATE", "VIEW"])
    case "index":
      return !words.contains(";")
        && (words.begins(with: ["CREATE", "INDEX"]) || object.isUniqueIndex)
    case "trigger": return words.begins(with: ["CREATE", "TRIGGER"])
    default: return false
    }
  }

  // MARK: The library's own tables

  /// Throws if the file has a later format, or one that can't be known.
  ///
  /// It comes before all other checks: a later format may have other tables.
  func checkFormat(_ connection: Connection) throws {
    guard let object = object(FoldedName("signalbox_metadata")) else {
      throw missing("signalbox_metadata")
    }
    try checkText(of: object)
    let sql = "SELECT value FROM signalbox_metadata WHERE name = 'format'"
    let (found, known) = (try connection.integer(sql) ?? 0, StoreTables.format)
    guard found > 0 else {
      throw fault(
        .corrupt, "it says no format, or one that can't be (\(found)); put back a copy")
    }
    guard found <= known else {
      throw fault(
        .newer,
        "the file has format \(found), and this library knows \(known); update the app")
    }
  }

  /// Throws if one of the library's own tables isn't one, or has another text.
  private func checkText(of object: Object) throws {
    let texts = StoreTables.all[FoldedName.folded(object.name)] ?? []
    guard object.kind == "table", texts.contains(where: { object.sql == "CREATE TABLE " + $0 })
    else {
      throw fault(
        .corrupt,
        "its table \(object.name), one of the library's own, isn't as the library makes it; put back a copy"
      )
    }
  }

  private func missing(_ table: String) -> StoreError {
    fault(.corrupt, "its table \(table), one of the library's own, isn't there; put back a copy")
  }

  /// Throws if one of the library's own tables was changed, or another object has the name of one.
  func checkOwn() throws {
    var needed: Set = ["signalbox_metadata", "signalbox_log"]
    for object in objects {
      let name = FoldedName.folded(object.name)
      if object.kind == "index", FoldedName.folded(object.table).hasPrefix("signalbox_") {
        throw fault(
          .schemaMismatch,
          "the index \"\(object.name)\" stands on \(object.table), a table of the library's own; drop that "
            + "index with the sqlite3 shell")
      }
      guard object.kind == "table" || object.kind == "view" else { continue }
      if name.hasPrefix("pragma_") {
        throw fault(
          .schemaMismatch,
          "the \(object.kind) \"\(object.name)\" hides a function of SQLite's; give it another name with the "
            + "sqlite3 shell")
      }
      guard name.hasPrefix("signalbox_") else { continue }
      if object.isSearchTable { continue }
      try checkText(of: object)
      needed.remove(name)
    }
    if let name = needed.sorted().first { throw missing(name) }
  }

  // MARK: Entities

  /// Returns the table, view or index with a name.
  func object(_ name: FoldedName) -> Object? {
    positions[name].map { objects[$0] }
  }

  /// Returns the indexes of a table that a statement has created.
  func indexes(of table: FoldedName) -> [Object] {
    indexPositions[table, default: []].map { objects[$0] }
  }

  /// Throws if something other than a plain table has the name of an entity's table.
  func checkPlace(of entity: String, _ connection: Connection) throws {
    guard let object = object(FoldedName(entity)) else { return }
    func refuse(_ what: String) -> StoreError {
      fault(
        .schemaMismatch,
        "\(object.name) is \(what), and the entity needs a plain table of that name; give that another name, "
          + "or drop it, with the sqlite3 shell, and open the file again")
    }
    if object.isVirtual { throw refuse("a virtual table") }
    guard object.isTable else { throw refuse("a \(object.kind)") }
    let listed = try listed(object, connection)
    guard listed?.kind ?? "table" == "table" else { throw refuse("a \(listed?.kind ?? "")") }
    guard object.hasRowNumbers, listed?.hasRowNumbers ?? true else {
      throw refuse("a table WITHOUT ROWID")
    }
    var column: String?
    try connection.query("SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 0")
      .run([.text(object.name)]) { column = $0.value(0).description }
    if let column { throw refuse("a table with the generated column \"\(column)\"") }
    try checkIndexes(of: object.name)
  }

  /// Returns SQLite's own description of a table, or nil if SQLite would have to look into views or
  /// virtual tables for it.
  ///
  /// Views may be nested more deeply than a thread's stack allows.
  func listed(_ object: Object, _ connection: Connection) throws -> (
    kind: String, hasRowNumbers: Bool, isStrict: Bool
  )? {
    guard mayBeListed else { return nil }
    var found: (String, Bool, Bool)?
    try connection.query("SELECT type, wr, strict FROM pragma_table_list(?) WHERE schema = 'main'")
      .run([.text(object.name)]) {
        found = ($0.value(0).description, $0.integer(1) == 0, $0.integer(2) != 0)
      }
    return found
  }

  func fault(_ kind: StorageFault.Kind, _ sentence: String) -> StoreError {
    .fault(kind, "\(path): \(sentence)", path: path)
  }
}

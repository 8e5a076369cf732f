internal import EntityStore
internal import Locking

/// A file's objects, as a named migration reads and rewrites them.
///
/// Entities and columns have the names that the file has; an entity that it doesn't have has no rows. It
/// is used inside the migration's body, on its thread.
public final class MigrationContext {
  private let editor: TableEditor
  private var time = ReadingTime()
  private var rewriting: Set<FoldedName> = []
  /// The tables that rows have been inserted into.
  private var targets: [FoldedName: MigrationTarget] = [:]
  /// The tables that have lost their types and rules, which comparing with the schemas gives back.
  private(set) var loosened: Set<FoldedName> = []
  /// The tables that have gone, and what became of them.
  private(set) var gone: [(name: String, description: String)] = []

  init(_ editor: TableEditor) { self.editor = editor }

  /// Ends the time in which it may be used.
  func end() { time.end() }

  /// Checks that it may be used, and that nothing is written by itself: a fault may have ended the transaction,
  /// and the body may have kept it to itself.
  private func check() throws {
    time.check()
    try connection.checkIsInTransaction()
  }

  private var connection: Connection { editor.connection }

  // MARK: Reading

  /// The names of the entities that the file has objects of, in alphabetical order.
  public var entities: [String] {
    get throws {
      try check()
      return try TableShape.names(connection).values.sorted()
    }
  }

  /// The names of an entity's columns; none if the file doesn't have it.
  public func attributes(of entity: String) throws -> [String] {
    try check()
    return try editor.shape(of: entity)?.columns.map(\.name) ?? []
  }

  /// All rows of an entity, in memory.
  public func rows(of entity: String) throws -> [MigrationRow] {
    try check()
    guard let shape = try editor.shape(of: entity) else { return [] }
    var rows: [MigrationRow] = []
    try editor.forEachBatch(of: shape) { rows += $0 }
    return rows
  }

  // MARK: Writing

  /// Replaces each row of an entity with the one that `body` makes of it, and deletes it where that is
  /// nil.
  ///
  /// Rows may have other columns than before, and values of other types: the columns that new rows have
  /// are those of the entity then. A few thousand rows are in memory at a time. Types, unique keys and
  /// references are checked when all migrations have run. `nextID` doesn't give the ids of deleted rows again.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows.
  /// - Precondition: the entity isn't being rewritten already, and no row is without columns.
  public func rewrite(_ entity: String, _ body: (MigrationRow) throws -> MigrationRow?) throws {
    try check()
    guard let shape = try editor.shape(of: entity) else { return }
    begin(entity)
    defer { rewriting.remove(FoldedName(entity)) }
    try editor.checkIndexes(of: shape.name)
    let total = try shape.rowCount(connection)
    try editor.reporter.report("rewrite", shape.name, 0, of: total)
    if total == 0 { return }
    let work = "signalbox_rewritten \(shape.name)"
    var isDone = false
    // A migration may go on where its body has thrown.
    defer { if !isDone { try? connection.execute("DROP TABLE IF EXISTS \(SQLName.quoted(work))") } }
    var target = MigrationTarget(table: work, entity: shape.name, columns: [])
    var completed = 0
    try editor.forEachBatch(of: shape) { rows in
      for row in rows {
        let new = try body(row)
        // A fault that the body has kept to itself may have undone everything.
        try connection.checkIsInTransaction()
        guard let new else { continue }
        mustHold(
          !new.names.isEmpty,
          "A migration gives a row of \(shape.name) no columns; return nil to delete it")
        try target.insert(new, connection)
      }
      completed += rows.count
      try editor.reporter.report("rewrite", shape.name, min(completed, total), of: total)
    }
    try LastIDs.noteRows(of: shape, connection)
    try editor.dropTriggers(of: shape.name)
    targets[FoldedName(entity)] = nil
    if target.isEmpty {
      try connection.stepWatch.checkTrees()
      try connection.execute("DELETE FROM \(shape.quotedName)")
    } else {
      loosened.insert(FoldedName(entity))
      try editor.replace(shape.name, with: work)
    }
    isDone = true
  }

  /// Adds a row to an entity, which is made if the file doesn't have it, as are columns.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the table doesn't take it.
  /// - Precondition: the entity isn't being rewritten, and the row has columns.
  public func insert(_ row: MigrationRow, into entity: String) throws {
    try check()
    let name = FoldedName(entity)
    checkIdle(entity)
    mustHold(!row.names.isEmpty, "A migration inserts a row without columns into \(entity)")
    if targets[name] == nil {
      let found = try editor.shape(of: entity)?.columns.map(\.name) ?? []
      try editor.checkIndexes(of: entity)
      if found.isEmpty { loosened.insert(name) }
      targets[name] = MigrationTarget(table: entity, entity: entity, columns: found)
    }
    try targets[name]?.insert(row, connection)
  }

  /// Deletes the rows of an entity that meet a condition.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows.
  /// - Precondition: the entity isn't being rewritten.
  public func delete(from entity: String, where isDoomed: (MigrationRow) throws -> Bool) throws {
    try rewrite(entity) { try isDoomed($0) ? nil : $0 }
  }

  // MARK: Names

  /// Renames a column, or does nothing if the file doesn't have it.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the entity has a column of the new name.
  /// - Complexity: O(1).
  /// - Precondition: the entity isn't being rewritten.
  public func rename(_ attribute: String, to new: String, in entity: String) throws {
    try check()
    checkIdle(entity)
    guard let shape = try editor.shape(of: entity), let column = shape.column(attribute) else {
      return
    }
    if FoldedName(attribute) != FoldedName(new), shape.column(new) != nil {
      throw taken("renames \(attribute) of \(entity) to \(new), an attribute that the file has")
    }
    try editor.renameColumn(column.name, to: new, of: shape.name)
    targets[FoldedName(entity)] = nil
  }

  /// Renames an entity, or does nothing if the file doesn't have it.
  ///
  /// References to it follow.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file has an entity of the new name.
  /// - Complexity: O(1), and O(*n* log *n*) for its indexes, which are made anew.
  /// - Precondition: the entity isn't being rewritten.
  public func renameEntity(_ entity: String, to new: String) throws {
    try check()
    checkIdle(entity)
    guard let shape = try editor.shape(of: entity) else { return }
    if FoldedName(entity) != FoldedName(new), try editor.shape(of: new) != nil {
      throw taken("renames \(entity) to \(new), an entity that the file has")
    }
    try editor.renameTable(shape.name, to: new)
    targets[FoldedName(entity)] = nil
    if loosened.remove(FoldedName(entity)) != nil { loosened.insert(FoldedName(new)) }
    gone.append((shape.name, "renamed to \(new)"))
  }

  /// Deletes an entity and all of its objects, or does nothing if the file doesn't have it.
  ///
  /// An entity that the store is opened without stays otherwise. `nextID` doesn't give the ids of its objects again,
  /// also to a later entity of the same name.
  ///
  /// - Precondition: the entity isn't being rewritten.
  public func dropEntity(_ entity: String) throws {
    try check()
    checkIdle(entity)
    guard let shape = try editor.shape(of: entity) else { return }
    // An entity of that name may come later, and links to objects that are gone mustn't lead to its objects.
    try LastIDs.noteRows(of: shape, connection)
    try editor.drop(shape.name)
    targets[FoldedName(entity)] = nil
    loosened.remove(FoldedName(entity))
    gone.append((shape.name, "dropped"))
  }

  // MARK: Helpers

  private func taken(_ what: String) -> StoreError {
    .storage(
      StorageFault(
        .schemaMismatch,
        "\(connection.path): a migration \(what) already; rename that one first, or drop it"))
  }

  private func begin(_ entity: String) {
    checkIdle(entity)
    rewriting.insert(FoldedName(entity))
  }

  private func checkIdle(_ entity: String) {
    mustHold(
      !rewriting.contains(FoldedName(entity)),
      "\(entity) is changed while it is rewritten; do it before or afterwards")
  }
}

internal import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

/// The objects of a file, which a named migration reads and rewrites.
///
///     Migration("delete scrapped cars") { context in
///       try context.delete(from: "Car") { $0["isScrapped"] == .integer(1) }
///     }
///
/// Entities and columns have the names that the file has. An entity that the file doesn't have has
/// no rows. The context is used inside the migration's body, on its thread.
public final class MigrationContext {
  private let editor: TableEditor
  private var time = ReadingTime()
  private var rewriting: Set<FoldedName> = []
  /// The tables into which rows have been inserted.
  private var targets: [FoldedName: MigrationTarget] = [:]
  /// The tables that have lost their types and rules.
  ///
  /// Comparing with the schemas restores these.
  private(set) var loosened: Set<FoldedName> = []
  /// The tables that have been renamed or dropped, with a description of what became of them.
  private(set) var gone: [(name: String, description: String)] = []

  init(_ editor: TableEditor) { self.editor = editor }

  /// Ends the time in which the context may be used.
  func end() { time.end() }

  /// Checks that the context may be used, and that the transaction is open.
  ///
  /// An error may have ended the transaction, and the body may have ignored the error. A write
  /// would then be a separate transaction.
  private func check() throws {
    time.check()
    try connection.checkIsInTransaction()
  }

  private var connection: Connection { editor.connection }

  // MARK: Reading

  /// The names of the entities of which the file has objects, in alphabetical order.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file can't be read.
  public var entities: [String] {
    get throws {
      try check()
      return try TableShape.names(connection).values.sorted()
    }
  }

  /// Returns the names of an entity's columns, or none if the file doesn't have the entity.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file can't be read.
  public func attributes(of entity: String) throws -> [String] {
    try check()
    return try editor.shape(of: entity)?.columns.map(\.name) ?? []
  }

  /// Returns all rows of an entity, in memory.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file can't be read.
  public func rows(of entity: String) throws -> [MigrationRow] {
    try check()
    guard let shape = try editor.shape(of: entity) else { return [] }
    var rows: [MigrationRow] = []
    try editor.forEachBatch(of: shape) { rows += $0 }
    return rows
  }

  // MARK: Writing

  /// Replaces each row of an entity with the one that `body` returns, and deletes it if that is
  /// nil.
  ///
  /// New rows may have different columns, and values of other types. Their columns become those of
  /// the entity. A few thousand rows are in memory at a time. Types, unique keys and references are
  /// checked after all migrations have run. `nextID` doesn't give the ids of deleted rows again.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file can't be read or written, if a
  ///   row can't be stored, or if the app cancels the migration; an error of `body`.
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
    // A migration may continue after its body has thrown.
    defer { if !isDone { try? connection.execute("DROP TABLE IF EXISTS \(SQLName.quoted(work))") } }
    var target = MigrationTarget(table: work, entity: shape.name, columns: [])
    var completed = 0
    try editor.forEachBatch(of: shape) { rows in
      for row in rows {
        let new = try body(row)
        // The body may have ignored an error that has rolled back everything.
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

  /// Adds a row to an entity.
  ///
  /// The entity is created if the file doesn't have it, and so are columns.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the table doesn't accept the row.
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
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file can't be read or written, or if
  ///   the app cancels the migration; an error of `isDoomed`.
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
  /// References to it are renamed, too.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file has an entity of the new name.
  /// - Complexity: O(1), and O(*n* log *n*) for its indexes, which are created again.
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
  /// Without this call, an entity stays in the file when the store is opened without it. `nextID`
  /// doesn't give the ids of the deleted objects again, not even to a later entity of the same
  /// name.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file can't be read or written, or if
  ///   the app cancels the migration.
  /// - Precondition: the entity isn't being rewritten.
  public func dropEntity(_ entity: String) throws {
    try check()
    checkIdle(entity)
    guard let shape = try editor.shape(of: entity) else { return }
    // An entity of that name may be added later. Links to deleted objects must not lead to its
    // objects.
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

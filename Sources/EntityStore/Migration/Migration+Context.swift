internal import Locking

extension Migration {
  /// The objects of a store, which a named migration reads and rewrites.
  ///
  ///     Migration("delete scrapped cars") { context in
  ///       try context.delete(from: "Car") { $0["isScrapped"] == .integer(1) }
  ///     }
  ///
  /// Entities and columns have the names that the store has. An entity that it doesn't have has no
  /// rows. After all migrations, it is checked that they haven't used only such a name of an entity
  /// that has rows under another one. The context is used inside the migration's body, on its
  /// thread.
  public final class Context {
    private let tables: any MigrationTables
    private var time = ReadingTime()
    private var rewriting: Set<FoldedName> = []
    /// The tables into which rows have been inserted.
    private var targets: [FoldedName: any MigrationTarget] = [:]
    /// The tables into which this migration and those before it have written.
    package private(set) var written: MigratedTables
    /// The tables that have been renamed or dropped, with a description of what became of them.
    package private(set) var gone: [(name: String, description: String)] = []

    package init(_ tables: any MigrationTables, _ written: MigratedTables) {
      self.tables = tables
      self.written = written
    }

    /// Ends the time in which the context may be used.
    ///
    /// - Throws: an error of a row that is written now.
    package func end() throws {
      time.end()
      for target in targets.values { try target.finish() }
    }

    /// Checks that the context may be used, and that the transaction is open.
    ///
    /// An error may have ended the transaction, and the body may have ignored the error. A write
    /// would then be a separate transaction.
    private func check() throws {
      time.check()
      try tables.checkIsInTransaction()
    }

    /// Writes the rows that wait for a table.
    private func finish(_ entity: String) throws { try targets[FoldedName(entity)]?.finish() }

    // MARK: Reading

    /// The names of the entities that have a table in the store, in alphabetical order.
    ///
    /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the store can't be read.
    public var entities: [String] {
      get throws {
        try check()
        return try tables.tableNames().sorted()
      }
    }

    /// Returns the names of an entity's columns, or none if the store doesn't have the entity.
    ///
    /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the store can't be read.
    public func attributes(of entity: String) throws -> [String] {
      try check()
      return try tables.table(of: entity)?.columns ?? []
    }

    /// Returns all rows of an entity, in memory.
    ///
    /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the store can't be read.
    public func rows(of entity: String) throws -> [Migration.Row] {
      try check()
      guard let table = try requested(entity) else { return [] }
      try finish(entity)
      var rows: [Migration.Row] = []
      try tables.forEachBatch(of: table.name) { rows += $0 }
      return rows
    }

    // MARK: Writing

    /// Replaces each row of an entity with the one that `body` returns, and deletes it if that is
    /// nil.
    ///
    /// New rows may have different columns, and values of other types. Their columns become those
    /// of the entity. A few thousand rows are in memory at a time. Types, unique keys and
    /// references are checked after all migrations have run. `nextID` doesn't give the ids of
    /// deleted rows again.
    ///
    /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the store can't be read or written, if
    ///   a row can't be stored, or if the app cancels the migration; an error of `body`.
    /// - Complexity: O(*n*) where *n* is the number of rows.
    /// - Precondition: the entity isn't being rewritten already, and no row is without columns.
    public func rewrite(_ entity: String, _ body: (Migration.Row) throws -> Migration.Row?) throws {
      try replaceRows(of: entity, keepsForm: false, body)
    }

    /// Replaces each row of an entity, or deletes it if `body` returns nil.
    ///
    /// `keepsForm` is true if `body` returns no changed rows.
    private func replaceRows(
      of entity: String, keepsForm: Bool, _ body: (Migration.Row) throws -> Migration.Row?
    ) throws {
      try check()
      guard let table = try requested(entity) else { return }
      try finish(entity)
      begin(entity)
      defer { rewriting.remove(FoldedName(entity)) }
      try tables.checkIndexes(of: table.name)
      let total = try tables.rowCount(of: table.name)
      if total == 0 {
        try tables.reporter.report("rewrite", table.name)
        return keepsForm
          ? written.empty(entity) : written.rewrite(entity, hasRows: false, hasChanged: false)
      }
      // A file is copied first. So when the step is reported, there is a copy.
      let target = try tables.replacement(of: table.name)
      var isDone = false
      var hasChanged = false
      // A migration may continue after its body has thrown.
      defer { if !isDone { tables.discard(target) } }
      try tables.reporter.report("rewrite", table.name, 0, of: total)
      var completed = 0
      try tables.forEachBatch(of: table.name) { rows in
        for row in rows {
          let new = try body(row)
          // The body may have ignored an error that has rolled back everything.
          try tables.checkIsInTransaction()
          guard let new else { continue }
          mustHold(
            !new.names.isEmpty,
            "A migration gives a row of \(table.name) no columns; return nil to delete it")
          hasChanged = hasChanged || new != row
          try target.insert(new)
        }
        completed += rows.count
        try tables.reporter.report("rewrite", table.name, min(completed, total), of: total)
      }
      try target.finish()
      targets[FoldedName(entity)] = nil
      if target.isEmpty && keepsForm {
        written.empty(entity)
      } else {
        written.rewrite(entity, hasRows: !target.isEmpty, hasChanged: hasChanged)
      }
      try tables.replace(table.name, with: target)
      isDone = true
    }

    /// Adds a row to an entity.
    ///
    /// The entity is created if the store doesn't have it, and so are columns.
    ///
    /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the table doesn't accept the row.
    /// - Precondition: the entity isn't being rewritten, and the row has columns.
    public func insert(_ row: Migration.Row, into entity: String) throws {
      try check()
      let name = FoldedName(entity)
      checkIdle(entity)
      mustHold(!row.names.isEmpty, "A migration inserts a row without columns into \(entity)")
      if targets[name] == nil {
        try checkName(entity)
        let found = try tables.table(of: entity)
        try tables.checkIndexes(of: entity)
        let count = try found.map { try tables.rowCount(of: $0.name) } ?? 0
        written.insert(into: name, isNew: found == nil, hasRows: count > 0)
        targets[name] = try tables.target(
          found?.name ?? entity, of: entity, columns: found?.columns ?? [])
      }
      guard let target = targets[name] else { return }
      tables.reads.use(entity)
      // A row that is refused may have brought its columns already.
      defer { if target.hasNewColumns { written.addColumns(to: name) } }
      try target.insert(row)
    }

    /// Deletes the rows of an entity that meet a condition.
    ///
    /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the store can't be read or written, or
    ///   if the app cancels the migration; an error of `isDoomed`.
    /// - Complexity: O(*n*) where *n* is the number of rows.
    /// - Precondition: the entity isn't being rewritten.
    public func delete(from entity: String, where isDoomed: (Migration.Row) throws -> Bool) throws {
      try replaceRows(of: entity, keepsForm: true) { try isDoomed($0) ? nil : $0 }
    }

    // MARK: Names

    /// Renames a column, or does nothing if the store doesn't have it.
    ///
    /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the entity has a column of the new
    ///   name.
    /// - Complexity: O(1).
    /// - Precondition: the entity isn't being rewritten.
    public func rename(_ attribute: String, to new: String, in entity: String) throws {
      try check()
      checkIdle(entity)
      guard let table = try tables.table(of: entity),
        let place = table.columns.firstIndex(folding: attribute)
      else { return }
      let column = table.columns[place]
      if FoldedName(attribute) != FoldedName(new), table.columns.firstIndex(folding: new) != nil {
        throw taken("renames \(attribute) of \(entity) to \(new), an attribute that the store has")
      }
      try finish(entity)
      try tables.renameColumn(column, to: new, of: table.name)
      tables.reads.renameColumn(column, of: table.name)
      targets[FoldedName(entity)] = nil
    }

    /// Renames an entity, or does nothing if the store doesn't have it.
    ///
    /// References to it are renamed, too.
    ///
    /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the store has an entity of the new
    ///   name.
    /// - Complexity: O(1), and O(*n* log *n*) for its indexes, which are created again.
    /// - Precondition: the entity isn't being rewritten.
    public func renameEntity(_ entity: String, to new: String) throws {
      try check()
      checkIdle(entity)
      guard let table = try tables.table(of: entity) else { return }
      try checkName(new)
      if FoldedName(entity) != FoldedName(new), try tables.table(of: new) != nil {
        throw taken("renames \(entity) to \(new), an entity that the store has")
      }
      try finish(entity)
      try tables.renameTable(table.name, to: new)
      targets[FoldedName(entity)] = nil
      written.rename(entity, to: new)
      gone.append((table.name, "renamed to \(new)"))
    }

    /// Deletes an entity and all of its objects, or does nothing if the store doesn't have it.
    ///
    /// Without this call, an entity stays in the store when it is opened without it. `nextID`
    /// doesn't give the ids of the deleted objects again, not even to a later entity of the same
    /// name.
    ///
    /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the store can't be read or written, or
    ///   if the app cancels the migration.
    /// - Precondition: the entity isn't being rewritten.
    public func dropEntity(_ entity: String) throws {
      try check()
      checkIdle(entity)
      guard let table = try tables.table(of: entity) else { return }
      // An entity of that name may be added later. Links to deleted objects must not lead to its
      // objects.
      try finish(entity)
      try tables.drop(table.name)
      targets[FoldedName(entity)] = nil
      written.drop(entity)
      gone.append((table.name, "dropped"))
    }

    // MARK: Helpers

    /// Returns the table of an entity whose rows are requested, or nil if there is none.
    private func requested(_ entity: String) throws -> (name: String, columns: [String])? {
      guard let table = try tables.table(of: entity) else {
        tables.reads.ask(entity)
        return nil
      }
      tables.reads.use(table.name)
      return table
    }

    private func taken(_ what: String) -> StoreError {
      .fault(
        .schemaMismatch,
        "\(tables.place): a migration \(what) already; rename that one first, or drop it")
    }

    /// Throws if an entity can't have a name, so that it couldn't be opened again.
    private func checkName(_ entity: String) throws {
      if !tables.isReserved(entity) { return }
      throw StoreError.fault(
        .schemaMismatch,
        "\(tables.place): a migration makes a table \(entity), which is a reserved name; give the "
          + "entity another one")
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
}

@_spi(Storage) package import EntityStore

/// A migrator of a file or of a server, as far as both work alike.
package protocol Migrating {
  associatedtype Editor: MigrationTables
  associatedtype Shape: FoundTable
  associatedtype Names: SettledNames
  var entities: [EntityDescription] { get }
  var editor: Editor { get }
  var names: Names { get }
  /// The schemas and migrations that are recorded.
  var schemas: SchemaRecord { get }
  /// The entities whose tables or columns have been renamed.
  var renamed: Set<FoldedName> { get set }
  /// The names that tables have had until now.
  var vacated: Set<FoldedName> { get set }
  /// The tables into which migrations have written.
  var written: MigratedTables { get set }
  mutating func note(_ description: String, of entity: String) throws
  func shape(of table: String) throws -> Shape?
  func hasRows(_ table: String) throws -> Bool
  /// Returns true if a table can become that of an entity without code.
  func canFollow(_ entity: EntityDescription, _ shape: Shape) throws -> Bool
}

extension Migrating {
  package var namedEntities: [Renames.Named] {
    entities.map { Renames.Named(name: $0.name, formerNames: $0.formerNames) }
  }

  package func mismatch(_ sentence: String) -> StoreError {
    .fault(.schemaMismatch, "\(editor.place): \(sentence)")
  }

  // MARK: Named migrations

  /// Runs a migration.
  ///
  /// `check` is called after its body, which may have ignored an error.
  package mutating func run(_ migration: Migration, check: () throws -> Void = {}) throws {
    editor.reporter.migration = migration.name
    defer { editor.reporter.migration = nil }
    editor.reads.begin(migration.name)
    let context = Migration.Context(editor, written)
    do { try migration.body(context) } catch {
      try? context.end()
      throw error
    }
    try context.end()
    try editor.checkIsInTransaction()
    try check()
    try editor.reporter.check()
    try checkReading()
    try checkAttributes()
    written = context.written
    for table in context.gone { try note(table.description, of: table.name) }
  }

  // MARK: Names

  /// Gives tables among some the names of their entities.
  package mutating func renameTables(
    _ present: some Sequence<String>, _ settled: Set<Renames.Claim>
  ) throws {
    let wanted = namedEntities
    // One step of an exchange leads to a name that nothing has, and another step leads away from
    // it.
    var origins: [FoldedName: String] = [:]
    for rename in try Renames.plan(
      wanted, present: present.sorted(), settled: settled, resolve: owner)
    {
      try editor.renameTable(rename.from, to: rename.to)
      written.rename(rename.from, to: rename.to)
      let from = origins.removeValue(forKey: FoldedName(rename.from)) ?? rename.from
      guard wanted.contains(where: { FoldedName($0.name) == FoldedName(rename.to) }) else {
        origins[FoldedName(rename.to)] = from
        continue
      }
      try note("renamed to \(rename.to)", of: from)
      vacated.insert(FoldedName(from))
      renamed.insert(FoldedName(rename.to))
    }
  }

  package mutating func renameColumns(_ shape: (_ table: String) throws -> Shape?) throws {
    for entity in entities where !entity.namedColumns.allSatisfy(\.formerNames.isEmpty) {
      guard let shape = try shape(entity.name) else { continue }
      for rename in shape.renames(for: entity, try names.claims(of: entity.name)) {
        try editor.renameColumn(rename.from, to: rename.to, of: shape.name)
        renamed.insert(FoldedName(entity.name))
      }
    }
  }

  /// Records the names that have been processed.
  package func settleNames(hasRun: Bool) throws {
    try names.settle(namedEntities, of: nil, isAfterMigration: hasRun)
    for entity in entities {
      try names.settle(entity.namedColumns, of: entity.name, isAfterMigration: hasRun)
    }
  }

  /// Throws if an entity without a table has another name in a later version of the app.
  ///
  /// There is then a table of that name. There may never have been one of the earlier name.
  package func checkNotRenamed(
    _ entity: EntityDescription, _ present: () throws -> [FoldedName: String]
  ) throws {
    let later = try names.claims(of: nil).later(than: entity, besides: entities)
    if later.isEmpty { return }
    let present = try present()
    guard let name = later.compactMap({ present[$0] }).min() else { return }
    throw StoreError.storage(StorageFault.renamed(entity, to: name, place: editor.place))
  }

  /// Returns the entity to which a table belongs that several entities may have.
  ///
  /// It is the one whose schema the table can follow. If several can, a table without rows belongs
  /// to the entity that has its name today.
  private func owner(_ table: String, _ candidates: [Renames.Named]) throws -> Renames.Named? {
    guard let shape = try shape(of: table) else { return nil }
    func isOwn(_ named: Renames.Named) -> Bool { FoldedName(named.name) == FoldedName(table) }
    let able = try candidates.filter { named in
      try entities.contains {
        try FoldedName($0.name) == FoldedName(named.name) && canFollow($0, shape)
      }
    }
    if able.count < 2 { return able.first ?? candidates.first(where: isOwn) ?? candidates.first }
    if try !hasRows(shape.name) { return able.first(where: isOwn) ?? able[0] }
    throw ambiguity(of: table, able)
  }

  /// Returns the error for a table that can be that of several entities.
  private func ambiguity(of table: String, _ able: [Renames.Named]) -> StoreError {
    let first = able[0].name
    let others = able.dropFirst().map {
      FoldedName($0.name) == FoldedName(table)
        ? "of the new entity of that name" : "of \($0.name), which was called so, too"
    }
    return mismatch(
      "the table \(table) can be that of \(first), which was called so, or "
        + "\(others.joined(separator: ", or ")); if it is that of \(first), say so in a migration: "
        + "context.renameEntity(\"\(table)\", to: \"\(first)\"); otherwise take \(table) from its "
        + "renamedFrom")
  }

  /// Throws if an entity has its table, and there is also a table with objects of its former name
  /// whose entity the store is opened without.
  ///
  /// The two may have exchanged their names.
  package func checkLeftNames(
    _ settled: Set<Renames.Claim>, _ present: [FoldedName: String]
  ) throws {
    let owned = Set(entities.map { FoldedName($0.name) })
    for named in namedEntities where !renamed.contains(FoldedName(named.name)) {
      guard let table = present[FoldedName(named.name)] else { continue }
      for former in named.formerNames
      where !owned.contains(FoldedName(former)) && !vacated.contains(FoldedName(former))
        && !settled.contains(Renames.Claim(named.name, from: former))
      {
        guard let other = present[FoldedName(former)], try hasRows(other) else { continue }
        throw mismatch(
          "there is a table \(table), and objects of \(other), as \(named.name) was called before; "
            + "open the store with all entities, so that it is known whose they are, or take "
            + "\(former) from the renamedFrom of \(named.name)")
      }
    }
  }
}

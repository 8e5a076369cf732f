@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension Migrator {
  mutating func renameTables() throws {
    let wanted = namedEntities
    let settled = try names.claims(of: nil)
    let present = try TableShape.names(connection)
    // One step of an exchange leads to a name that nothing has, and another step leads away from
    // it.
    var origins: [FoldedName: String] = [:]
    var moved: [Renames.Rename] = []
    for rename in try Renames.plan(
      wanted, present: present.values.sorted(), settled: settled, resolve: owner)
    {
      try editor.renameTable(rename.from, to: rename.to)
      written.rename(rename.from, to: rename.to)
      let from = origins.removeValue(forKey: FoldedName(rename.from)) ?? rename.from
      guard wanted.contains(where: { FoldedName($0.name) == FoldedName(rename.to) }) else {
        origins[FoldedName(rename.to)] = from
        continue
      }
      moved.append(Renames.Rename(from: from, to: rename.to))
    }
    for rename in moved {
      try record.record("renamed to \(rename.to)", of: rename.from, connection)
      vacated.insert(FoldedName(rename.from))
      renamed.insert(FoldedName(rename.to))
      hasChangedObjects = true
    }
    try checkLeftNames(wanted, settled)
  }

  mutating func renameColumns() throws {
    for entity in entities {
      guard let shape = try editor.shape(of: entity.name) else { continue }
      for rename in try columnRenames(entity, shape) {
        try editor.renameColumn(rename.from, to: rename.to, of: shape.name)
        renamed.insert(FoldedName(entity.name))
        hasChangedObjects = true
      }
    }
  }

  /// Records the names that have been processed.
  ///
  /// If migrations have run, claims that the schemas don't make any more are deleted, because a
  /// migration may have undone them.
  func settleNames(hasRun: Bool) throws {
    if hasRun {
      try names.forget(but: namedEntities, of: nil)
      for entity in entities { try names.forget(but: entity.namedColumns, of: entity.name) }
    }
    try names.settle(namedEntities, of: nil)
    for entity in entities { try names.settle(entity.namedColumns, of: entity.name) }
  }

  /// Throws if an entity without a table has another name in a later version of the app.
  ///
  /// The file then has a table of that name. It may never have had one of the earlier name.
  func checkNotRenamed(_ entity: EntityDescription) throws {
    let present = try TableShape.names(connection)
    let later = try names.claims(of: nil).later(than: entity, besides: entities)
      .compactMap { present[$0] }
    if let name = later.min() {
      throw StoreError.storage(
        StorageFault.renamed(entity, to: name, place: connection.path))
    }
  }

  private var namedEntities: [Renames.Named] {
    entities.map { Renames.Named(name: $0.name, formerNames: $0.formerNames) }
  }

  private func columnRenames(_ entity: EntityDescription, _ shape: TableShape) throws
    -> [Renames.Rename]
  {
    Renames.plan(
      entity.namedColumns, present: shape.columns.map(\.name),
      settled: try names.claims(of: shape.name))
  }

  // MARK: Owners of tables

  /// Returns the entity to which a table belongs that several entities may have.
  ///
  /// It is the one whose schema the table can follow. If several can, a table without rows belongs
  /// to the entity that has its name today.
  private func owner(_ table: String, _ candidates: [Renames.Named]) throws -> Renames.Named? {
    guard let shape = try editor.shape(of: table) else { return nil }
    func isOwn(_ named: Renames.Named) -> Bool { FoldedName(named.name) == FoldedName(table) }
    let own = candidates.first(where: isOwn)
    let able = try candidates.filter { named in
      try entities.contains { entity in
        try FoldedName(entity.name) == FoldedName(named.name) && canFollow(entity, shape)
      }
    }
    if able.count < 2 { return able.first ?? own ?? candidates.first }
    if try !shape.hasRows(connection) { return able.first(where: isOwn) ?? able[0] }
    let first = able[0].name
    let others = able.dropFirst().map {
      isOwn($0) ? "of the new entity of that name" : "of \($0.name), which was called so, too"
    }
    throw mismatch(
      "the table \(table) can be that of \(first), which was called so, or "
        + "\(others.joined(separator: ", or ")); if it is that of \(first), say so in a migration: "
        + "context.renameEntity(\"\(table)\", to: \"\(first)\"); otherwise take \(table) from its "
        + "renamedFrom")
  }

  /// Returns true if a table can become that of an entity without code.
  private func canFollow(_ entity: EntityDescription, _ shape: TableShape) throws -> Bool {
    let change = TableChange(entity, from: shape.renamed(try columnRenames(entity, shape)))
    return change.unknown.isEmpty && !change.changesIdentity
      && !change.sources.contains { $0.isOfOtherType || ($0.found == nil && $0.mayLackValue) }
  }

  /// Throws if an entity has its table, and there is also a table of its former name whose entity
  /// the store is opened without.
  ///
  /// The two may have exchanged their names.
  private func checkLeftNames(_ wanted: [Renames.Named], _ settled: Set<Renames.Claim>) throws {
    let present = try TableShape.names(connection)
    let owned = Set(wanted.map { FoldedName($0.name) })
    for named in wanted where !renamed.contains(FoldedName(named.name)) {
      guard let table = present[FoldedName(named.name)] else { continue }
      for former in named.formerNames
      where !owned.contains(FoldedName(former))
        && !settled.contains(Renames.Claim(named.name, from: former))
      {
        guard let other = present[FoldedName(former)],
          try TableShape(name: other).hasRows(connection)
        else { continue }
        throw mismatch(
          "the file has a table \(table), and objects of \(other), as \(named.name) was called before; "
            + "open it with all entities, so that it is known whose they are, or take \(former) from "
            + "the renamedFrom of \(named.name)")
      }
    }
  }
}

extension TableShape {
  /// Returns the table with renamed columns.
  fileprivate func renamed(_ renames: [Renames.Rename]) -> TableShape {
    var shape = self
    for rename in renames {
      shape.columns = shape.columns.map {
        FoldedName($0.name) == FoldedName(rename.from)
          ? Column(name: rename.to, type: $0.type, isOptional: $0.isOptional) : $0
      }
      if shape.identity.remove(FoldedName(rename.from)) != nil {
        shape.identity.insert(FoldedName(rename.to))
      }
    }
    return shape
  }
}

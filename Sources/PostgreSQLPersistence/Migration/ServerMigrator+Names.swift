#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension ServerMigrator {
  private var namedEntities: [Renames.Named] {
    entities.map { Renames.Named(name: $0.name, formerNames: $0.formerNames) }
  }

  mutating func renameTables() throws {
    let wanted = namedEntities
    let all = try ServerShape.all(connection)
    for named in wanted {
      // A server's names differ in case.
      guard let shape = all[FoldedName(named.name)], shape.isOwn,
        !TextBytes.equal(shape.name, named.name)
      else { continue }
      try editor.renameTable(shape.name, to: named.name)
      try record.record("renamed to \(named.name)", of: shape.name)
      renamed.insert(FoldedName(named.name))
    }
    if wanted.allSatisfy(\.formerNames.isEmpty) { return }
    let settled = try record.claims(of: "")
    let shapes = try ServerShape.all(connection)
    // Another program's table may have the name or a former name of an entity.
    let present = shapes.filter { name, shape in shape.isOwn || isKnown(name) }
    for named in wanted where present[FoldedName(named.name)] == nil {
      let other = shapes[FoldedName(named.name)]
      if let other, TextBytes.equal(other.name, named.name) { throw foreign(other.name) }
    }
    // One step of an exchange leads to a name that nothing has, and another step leads away.
    var origins: [FoldedName: String] = [:]
    for rename in try Renames.plan(
      wanted, present: present.values.map(\.name).sorted(), settled: settled,
      resolve: { try owner($0, $1, present) })
    {
      try editor.renameTable(rename.from, to: rename.to)
      written.rename(rename.from, to: rename.to)
      let from = origins.removeValue(forKey: FoldedName(rename.from)) ?? rename.from
      guard wanted.contains(where: { FoldedName($0.name) == FoldedName(rename.to) }) else {
        origins[FoldedName(rename.to)] = from
        continue
      }
      try record.record("renamed to \(rename.to)", of: from)
      vacated.insert(FoldedName(from))
      renamed.insert(FoldedName(rename.to))
    }
    try checkLeftNames(wanted, settled, present)
  }

  mutating func renameColumns() throws {
    let shapes = try ServerShape.all(connection)
    for entity in entities {
      let named = entity.namedColumns
      guard let shape = shapes[FoldedName(entity.name)],
        !named.allSatisfy(\.formerNames.isEmpty)
      else { continue }
      for rename in Renames.plan(
        named, present: shape.columns.map(\.name), settled: try record.claims(of: entity.name))
      {
        try editor.renameColumn(rename.from, to: rename.to, of: shape.name)
        renamed.insert(FoldedName(entity.name))
      }
    }
  }

  /// Records the names that have been processed.
  func settleNames(hasRun: Bool) throws {
    let all =
      [("", namedEntities)] + entities.map { ($0.name, $0.namedColumns) }
    for (entity, named) in all
    where hasRun || !named.allSatisfy(\.formerNames.isEmpty) {
      try record.settle(named, of: entity, isAfterMigration: hasRun)
    }
  }

  /// Throws if an entity without a table has another name in a later version of the app.
  ///
  /// The schema then has a table of that name. It may never have had one of the earlier name.
  func checkNotRenamed(_ entity: EntityDescription) throws {
    let names = try record.claims(of: "").later(than: entity, besides: entities)
    if names.isEmpty { return }
    let shapes = try ServerShape.all(connection)
    if let name = names.compactMap({ shapes[$0] }).filter(\.isOwn).map(\.name).min() {
      throw StoreError.storage(StorageFault.renamed(entity, to: name, place: editor.place))
    }
  }

  /// Returns the entity to which a table belongs that several entities may have.
  ///
  /// If several can have it, a table without rows belongs to the entity that has its name today.
  private func owner(
    _ table: String, _ candidates: [Renames.Named], _ shapes: [FoldedName: ServerShape]
  ) throws -> Renames.Named? {
    guard let shape = shapes[FoldedName(table)] else { return nil }
    let own = candidates.first { FoldedName($0.name) == FoldedName(table) }
    let able = try candidates.filter { named in
      try entities.contains {
        try FoldedName($0.name) == FoldedName(named.name) && canFollow($0, shape)
      }
    }
    if able.count < 2 { return able.first ?? own ?? candidates.first }
    if try !shape.hasRows(connection) {
      return able.first { FoldedName($0.name) == FoldedName(table) } ?? able[0]
    }
    throw mismatch(
      "the table \(table) can be that of \(able.map(\.name).joined(separator: " or of ")); say whose it is in "
        + "a migration: context.renameEntity(\"\(table)\", to: \"\(able[0].name)\"), or take \(table) from "
        + "the renamedFrom of the others")
  }

  /// Returns true if a table can become that of an entity without code.
  private func canFollow(_ entity: EntityDescription, _ shape: ServerShape) throws -> Bool {
    var shape = shape
    let settled = try record.claims(of: shape.name)
    for rename in Renames.plan(
      entity.namedColumns, present: shape.columns.map(\.name), settled: settled)
    {
      shape.columns = shape.columns.map {
        FoldedName($0.name) == FoldedName(rename.from)
          ? ServerShape.Column(name: rename.to, type: $0.type, isOptional: $0.isOptional) : $0
      }
      if shape.identity.remove(FoldedName(rename.from)) != nil {
        shape.identity.insert(FoldedName(rename.to))
      }
    }
    let change = ServerTableChange(entity, from: shape) { _ in true }
    return change.unknown.isEmpty && !change.changesIdentity
      && !change.sources.contains { $0.isOfOtherType || ($0.found == nil && $0.mayLackValue) }
  }

  /// Throws if an entity has its table, and there is also a table with objects of its former name
  /// whose entity the store is opened without: the two may have exchanged their names.
  private func checkLeftNames(
    _ wanted: [Renames.Named], _ settled: Set<Renames.Claim>, _ shapes: [FoldedName: ServerShape]
  ) throws {
    let owned = Set(wanted.map { FoldedName($0.name) })
    for named in wanted where !renamed.contains(FoldedName(named.name)) {
      guard let table = shapes[FoldedName(named.name)] else { continue }
      for former in named.formerNames
      where !owned.contains(FoldedName(former))
        && !settled.contains(Renames.Claim(named.name, from: former))
      {
        guard let other = shapes[FoldedName(former)], !vacated.contains(FoldedName(former)),
          try other.hasRows(connection)
        else { continue }
        throw mismatch(
          "there is a table \(table.name), and objects of \(other.name), as \(named.name) was called before; "
            + "open the store with all entities, so that it is known whose they are, or take \(former) from "
            + "the renamedFrom of \(named.name)")
      }
    }
  }
}
#endif

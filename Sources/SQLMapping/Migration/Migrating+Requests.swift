@_spi(Storage) internal import EntityStore

// A request for an entity or an attribute that isn't there has no rows, or no values. If the name
// is wrong, nothing else shows that.
extension Migrating {
  /// Throws if a migration has read an attribute that the rows never had.
  ///
  /// Such a migration was written for an older form. That form would have been lost if the tables
  /// had ever had it.
  func checkReading() throws {
    for (table, absent) in editor.reads.columns where editor.reads.isWatched(table) {
      for name in absent.asked {
        if try rename(of: name, absent, in: table) != nil { continue }
        let entity = absent.table
        throw mismatch(
          "the migration \"\(absent.migration)\" reads \"\(name)\" of \(entity), which had today's "
            + "attributes from the start: the tables were made without that migration in the "
            + "list, or by a version of the app that had no \"\(name)\" yet. Give all programs the "
            + "same list, and for tables that are there let the migration do nothing unless "
            + "context.attributes(of: \"\(entity)\") has \"\(name)\"")
      }
    }
  }

  /// Throws if a migration has read an attribute that no known form of the entity has.
  ///
  /// A misspelt attribute would be nil in each row.
  func checkAttributes() throws {
    for (_, absent) in editor.reads.columns {
      let table = FoldedName(absent.table)
      let found = candidates(for: table)
      for name in absent.asked {
        if absent.isRemoved(name) || schemas.hasHad(name, table) { continue }
        let column = FoldedName(name)
        let isKnown = found.contains { entity in
          (entity.sqlColumns.map(\.name) + entity.columns.flatMap(\.formerNames)
            + entity.droppedNames).contains { FoldedName($0) == column }
        }
        if isKnown { continue }
        throw mismatch(
          "the migration \"\(absent.migration)\" reads \"\(name)\" of \(absent.table), which has "
            + "no such attribute, and had none in any form that is known; correct the name, or, if "
            + "a release had it that may be skipped, say .dropped(\"\(name)\") among the rules, or "
            + "ask context.attributes(of: \"\(absent.table)\") before")
      }
    }
  }

  /// Throws if migrations have requested an entity or an attribute only by a name that isn't there,
  /// and it has another one in the tables.
  ///
  /// It is called after all of them: a migration may use one name, and a later one the other.
  package func checkRequests() throws {
    for (table, absent) in editor.reads.columns {
      for name in absent.asked {
        guard let rename = try rename(of: name, absent, in: table) else { continue }
        let other = rename.other(than: name)
        if editor.reads.hasUsed(other, of: table, since: absent.number) { continue }
        throw mismatch(
          "the migration \"\(absent.migration)\" reads \"\(name)\" of \(absent.table), which is "
            + "called \"\(other)\" there; put a migration with context.rename(\"\(rename.from)\", "
            + "to: \"\(rename.to)\", in: \"\(absent.table)\") before it, and let it read "
            + "\"\(rename.to)\", or ask context.attributes(of: \"\(absent.table)\") before")
      }
    }
    for request in editor.reads.missing {
      let (migration, name) = (request.migration, request.entity)
      // Where there are no rows, nothing is missed.
      func hasOwnRows(_ entity: String) throws -> Bool {
        guard let shape = try shape(of: entity), shape.isOwn else { return false }
        return try hasRows(shape.name)
      }
      let found: Renames.Rename?
      if let former = request.formerTable {
        found = try hasOwnRows(name) ? Renames.Rename(from: former, to: name) : nil
      } else {
        found = try namedEntities.rename(between: name, isThere: hasOwnRows)
      }
      guard let rename = found else { continue }
      let other = rename.other(than: name)
      if editor.reads.hasUsed(other, since: request.number) { continue }
      throw mismatch(
        "the migration \"\(migration)\" reads \(name), which is called \(other) there; put a "
          + "migration with context.renameEntity(\"\(rename.from)\", to: \"\(rename.to)\") before "
          + "it, and let it read \(rename.to), or look for \(name) in context.entities first")
    }
  }

  /// Returns the rename between an attribute that rows don't have and its other name, which they
  /// have, or nil.
  private func rename(
    of name: String, _ absent: AbsentColumns, in table: FoldedName
  ) throws -> Renames.Rename? {
    for entity in try owners(of: table) {
      let rename = entity.namedColumns.rename(between: name) { absent.hasColumn($0) }
      if let rename { return rename }
    }
    return nil
  }

  /// Returns the entities that have or had the name of a table.
  private func candidates(for table: FoldedName) -> [EntityDescription] {
    entities.filter { entity in
      ([entity.name] + entity.formerNames).contains { FoldedName($0) == table }
    }
  }

  /// Returns the entities whose table one may be.
  private func owners(of table: FoldedName) throws -> [EntityDescription] {
    let all = candidates(for: table)
    let today = all.filter { FoldedName($0.name) == table }
    if today.isEmpty { return all }
    // Another entity that had the name has its own table.
    let isSettled = try all.allSatisfy { try shape(of: $0.name) != nil }
    return isSettled ? today : all
  }
}

extension Renames.Rename {
  fileprivate func other(than name: String) -> String {
    FoldedName(from) == FoldedName(name) ? to : from
  }
}

extension [Renames.Named] {
  /// Returns the rename from the older to the newer one of two names of the same thing: a name, and
  /// another one that is there; or nil.
  ///
  /// A name that something has today isn't taken for a former name of another thing.
  fileprivate func rename(
    between name: String, isThere: (_ other: String) throws -> Bool
  ) rethrows -> Renames.Rename? {
    let folded = FoldedName(name)
    let owners = filter { FoldedName($0.name) == folded }
    for named in owners.isEmpty ? self : owners {
      // The newest name comes first.
      let names = [named.name] + named.formerNames
      guard let place = names.firstIndex(where: { FoldedName($0) == folded }) else { continue }
      for (index, other) in names.enumerated() where FoldedName(other) != folded {
        guard try isThere(other) else { continue }
        return index > place
          ? Renames.Rename(from: other, to: name) : Renames.Rename(from: name, to: other)
      }
    }
    return nil
  }
}

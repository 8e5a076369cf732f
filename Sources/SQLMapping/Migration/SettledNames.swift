package import EntityStore

/// The former names that have been processed.
///
/// If two names have been exchanged, nothing else shows that.
package protocol SettledNames {
  /// Returns the claims about the attributes of an entity, or with nil those about the entities.
  func claims(of entity: String?) throws -> Set<Renames.Claim>
  func add(_ name: String, from former: String, of entity: String?) throws
  func remove(_ claim: Renames.Claim, of entity: String?) throws
}

extension SettledNames {
  /// Records the claims of a schema: its tables or columns with their former names.
  ///
  /// After a migration, claims that the schema doesn't make any more are deleted, because the
  /// migration may have undone them.
  func settle(_ all: [Renames.Named], of entity: String?, isAfterMigration: Bool) throws {
    if !isAfterMigration && all.allSatisfy(\.formerNames.isEmpty) { return }
    var known = try claims(of: entity)
    if isAfterMigration {
      // Claims about what this store is opened without are those of others.
      let (wanted, names) = (Renames.claims(all), Set(all.map { FoldedName($0.name) }))
      for claim in known where names.contains(claim.name) && !wanted.contains(claim) {
        try remove(claim, of: entity)
      }
    }
    for named in all {
      for former in named.formerNames
      where known.insert(Renames.Claim(named.name, from: former)).inserted {
        try add(named.name, from: former, of: entity)
      }
    }
  }
}

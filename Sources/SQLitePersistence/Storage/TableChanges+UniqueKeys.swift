@_spi(Storage) internal import EntityStore

extension ObjectChange {
  /// Returns true if an object stays and gets another unique key.
  func changesKey(_ entity: EntityDescription) -> Bool {
    guard let old, let new else { return false }
    return entity.uniqueKeys.contains { $0.contains { !old.isEqual(to: new, at: $0) } }
  }
}

extension TableChanges {
  /// True if no updated object gets a unique key that another updated object had before the commit.
  ///
  /// Then the rows can be updated one after another. Otherwise two objects may have exchanged their
  /// keys, and SQLite checks each row at once.
  var hasFreeKeys: Bool {
    if entity.uniqueKeys.isEmpty { return true }
    let all = all
    let changed = all.indices.filter { all[$0].changesKey(entity) }
    if changed.count < 2 { return true }
    return entity.uniqueKeys.allSatisfy { key in
      let former = Set(changed.compactMap { all[$0].old?.values(at: key) })
      return changed.allSatisfy { place in
        guard let old = all[place].old, let new = all[place].new else { return true }
        return key.allSatisfy { old.isEqual(to: new, at: $0) }
          || !former.contains(new.values(at: key))
      }
    }
  }
}

/// A change of a store: the inserted, updated and deleted objects from one version to the next.
///
///     let token = store.commits.subscribe { commit in
///       print(commit.version, commit.changes(of: Car.self).inserted)
///     }
///
/// A commit is immutable. It doesn't contain objects that were both inserted and deleted in it, or
/// that have the same values as before.
public struct Commit: Sendable {
  /// The versions that the commit made: one, or several if external commits were found together.
  public let versions: ClosedRange<Int64>
  /// The name that people give the change, or nil if the commit has no name.
  public let name: String?
  /// The changes, object by object.
  @_spi(Storage) public let changes: NetChanges
  /// True if the commit is external: made by another process, another store or another tool.
  ///
  /// External commits that were found together are one commit.
  public let isExternal: Bool

  /// True if `changes` has everything that has changed.
  ///
  /// It is false if the changes of external commits couldn't be read one by one, for example
  /// because the change log no longer has them. Then models read again, and publish the exact
  /// changes of what they show. Such an external commit can't be replayed, applied or reverted.
  public let isComplete: Bool

  /// True if observers can't rely on `changes`.
  ///
  /// Either some external changes aren't known here, or an observer has seen a part of the commit
  /// already.
  package let followsUnknown: Bool

  /// The number that distinguishes the commit from other commits of the same store.
  ///
  /// It also differs from that of a failed commit that would have made the same version.
  package let attempt: Int

  package init(
    versions: ClosedRange<Int64>, name: String? = nil, changes: NetChanges,
    isExternal: Bool = false, followsUnknown: Bool = false, isComplete: Bool? = nil,
    attempt: Int = 0
  ) {
    self.attempt = attempt
    self.isComplete = isComplete ?? !followsUnknown
    self.versions = versions
    self.name = name
    self.changes = changes
    self.isExternal = isExternal
    self.followsUnknown = followsUnknown
  }

  /// The version that the commit made, or the last one of several.
  public var version: Int64 { versions.upperBound }

  /// Returns the changes of one entity's objects, each list in the order of ids.
  public func changes<E: Entity>(of type: E.Type) -> EntityChanges<E> {
    changes(changes[E.schema.entity]?.sorted ?? [])
  }

  /// Returns changes of one entity's objects, which are in the order of ids.
  func changes<E: Entity>(_ sorted: some Sequence<ObjectChange>) -> EntityChanges<E> {
    var result = EntityChanges<E>(version: version)
    for change in sorted {
      switch (change.old, change.new) {
      case (nil, let new?): result.inserted.append(new.value(as: E.self))
      case (let old?, nil): result.deleted.append(old.value(as: E.self))
      case (let old?, let new?):
        result.updated.append(
          EntityChanges.Update(
            old: old.value(as: E.self), new: new.value(as: E.self),
            attributes: new.changedColumns(from: old).map { new.entity.columns[$0].name }))
      case (nil, nil): break
      }
    }
    return result
  }

  /// The names of all objects that the commit concerns, in order.
  public var objectIDs: [ObjectID] {
    changes.sortedTables.flatMap { table in
      table.sorted.map { ObjectID(entityName: table.entity.name, id: $0.id) }
    }
  }
}

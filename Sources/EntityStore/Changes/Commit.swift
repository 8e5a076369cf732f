/// A change of a store: which objects came, changed and went, from one version to the next.
///
/// A commit is immutable. Objects that were inserted and deleted in it, or that have the same values
/// as before, are not in it.
public struct Commit: Sendable {
  /// The versions that the commit made: one, or several of others' commits that were found together.
  public let versions: ClosedRange<Int64>
  /// What a person would call the change, if the commit was given a name.
  public let name: String?
  /// The changes, object by object.
  public let changes: NetChanges
  /// Whether it was made elsewhere: by another process, another store or another tool.
  ///
  /// What others committed and was found together is one commit.
  public let isForeign: Bool

  /// Whether `changes` says all that has changed.
  ///
  /// It doesn't where others have committed more than the storage's log still knows. Then models read
  /// anew, and tell the exact changes of what they show.
  public let isComplete: Bool

  /// Whether observers can't go by `changes`: others have changed what isn't known here, or an observer has
  /// seen a part of it already.
  package let followsUnknown: Bool

  /// What tells it from other commits of the same store, also from one that failed and would have made the
  /// same version.
  package let attempt: Int

  package init(
    versions: ClosedRange<Int64>, name: String? = nil, changes: NetChanges,
    isForeign: Bool = false, followsUnknown: Bool = false, isComplete: Bool? = nil, attempt: Int = 0
  ) {
    self.attempt = attempt
    self.isComplete = isComplete ?? !followsUnknown
    self.versions = versions
    self.name = name
    self.changes = changes
    self.isForeign = isForeign
    self.followsUnknown = followsUnknown
  }

  package init(
    version: Int64, name: String? = nil, changes: NetChanges, followsUnknown: Bool = false,
    attempt: Int = 0
  ) {
    self.init(
      versions: version...version, name: name, changes: changes, followsUnknown: followsUnknown,
      attempt: attempt)
  }

  /// The version that the commit made, of several the last.
  public var version: Int64 { versions.upperBound }

  /// The changes of one entity's objects, each list in the order of ids.
  public func changes<E: Entity>(of type: E.Type) -> EntityChanges<E> {
    changes(of: type) { _ in true }
  }

  /// The changes of those objects for which `belongs` is true.
  func changes<E: Entity>(
    of type: E.Type, where belongs: (ObjectChange) -> Bool
  ) -> EntityChanges<E> {
    var result = EntityChanges<E>(version: version)
    for change in changes[E.schema.entity]?.sorted ?? [] where belongs(change) {
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
    sortedTables.flatMap { table in
      table.sorted.map { ObjectID(entityName: table.entity.name, id: $0.id) }
    }
  }

  /// The changes of entities in the order of their names.
  var sortedTables: [TableChanges] {
    changes.tables.sorted { TextBytes.compare($0.entity.name, $1.entity.name) < 0 }
  }
}

@_spi(Storage) @_spi(Inspection) public import EntityStore

/// A commit that an inspector has recorded.
///
///     for commit in inspector.commits() {
///       print(commit.version ?? 0, commit.name ?? "", commit.changes.map(\.object))
///     }
public struct InspectedCommit: Sendable {
  /// The number of the record, counted from 1.
  public let number: Int
  /// The time since the inspector was made.
  public let time: Duration
  /// The version that the commit made, or nil if it failed or changed nothing.
  public let version: Int64?
  /// The name of the commit, or nil.
  public let name: String?
  /// True if another process, another store or another tool made it.
  public let isExternal: Bool
  /// The error with which it failed, or nil.
  public let error: String?
  /// The times of its steps, in their order, or none for an external commit.
  ///
  /// The names are `waiting` for other writers, `merging`, `body`, `rules`, `storing`, `preparing`
  /// the lists, `sealing`, `installing`, `syncing`, and `delivering` to immediate subscribers.
  public let steps: [(name: String, duration: Duration)]
  /// The objects before and after the commit: the first ones, up to a limit.
  public let changes: [InspectedChange]
  /// The number of objects that it changed.
  public let changeCount: Int
  /// The work of each list that the commit concerned.
  ///
  /// It is the work since the record before.
  public let costs: [InspectedCost]

  /// The time of the whole commit.
  public var duration: Duration { steps.reduce(.zero) { $0 + $1.duration } }
}

/// The change of one object in a recorded commit.
public struct InspectedChange: Sendable {
  /// The object.
  public let object: ObjectID
  /// Its stored values before the commit, by attribute, or nil if it was inserted.
  public let before: [(attribute: String, value: StoredValue)]?
  /// Its stored values after the commit, or nil if it was deleted.
  public let after: [(attribute: String, value: StoredValue)]?
  /// The version that the commit made.
  public let version: Int64

  init(_ change: ObjectChange, of entity: EntityDescription, version: Int64) {
    func values(_ row: EntityRow?) -> [(attribute: String, value: StoredValue)]? {
      row.map { row in zip(entity.columns, row.values).map { ($0.name, $1) } }
    }
    object = ObjectID(entityName: entity.name, id: change.id)
    before = values(change.old)
    after = values(change.new)
    self.version = version
  }

  /// The attributes whose values differ, or none if the object was inserted or deleted.
  var changedAttributes: [String] {
    zip(before ?? [], after ?? []).compactMap { old, new in
      old.value == new.value ? nil : new.attribute
    }
  }
}

/// The work that one list took for a commit.
public struct InspectedCost: Sendable, Hashable {
  /// The id of the list, as in ``InspectedList/id``.
  public let list: String
  /// The number of objects for which the list checked whether they belong to it.
  public let candidates: Int
  /// The number of times that two rows were compared.
  public let comparisons: Int
  /// The number of rows that were inserted, deleted or changed.
  public let changes: Int
  /// The number of times that the whole list was read again.
  public let fetches: Int
}

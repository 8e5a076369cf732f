/// What a commit changes, object by object: from the version before it to the version after.
public struct NetChanges: Sendable {
  /// The changes of each entity that has any.
  public internal(set) var tables: [EntityDescription: TableChanges] = [:]

  /// Nothing.
  package init() {}

  /// Whether nothing changes.
  public var isEmpty: Bool { tables.isEmpty }

  /// How many objects change.
  public var count: Int { tables.values.reduce(0) { $0 + $1.rows.count } }

  func row(of entity: EntityDescription, id: StoredValue) -> ObjectChange? {
    tables[entity]?.rows[id]
  }
}

/// The changes of one entity's objects.
public struct TableChanges: Sendable {
  /// The change of each object, by id.
  public internal(set) var rows: [StoredValue: ObjectChange] = [:]

  /// The changes in the order of ids.
  public var sorted: [ObjectChange] { rows.values.sorted { $0.id < $1.id } }
}

/// The change of one object.
public struct ObjectChange: Sendable {
  /// The id.
  public let id: StoredValue
  /// The object before, nil if it is inserted.
  public let old: EntityRow?
  /// The object after, nil if it is deleted.
  public let new: EntityRow?

  /// Whether nothing has changed after all: nothing before and after, or the same values.
  var isVoid: Bool {
    switch (old, new) {
    case (nil, nil): true
    case (let old?, let new?): old.isEqual(to: new)
    default: false
    }
  }
}

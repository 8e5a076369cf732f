/// The changes of a commit, object by object, from the version before it to the version after.
///
///     for table in commit.changes.tables { print(table.entity.name, table.count) }
@_spi(Storage) public struct NetChanges: Sendable {
  /// The changes of each entity that has any, in the order in which they were first written to.
  public internal(set) var tables: [TableChanges] = []
  /// The objects that others have written again, by their entities.
  ///
  /// A storage may keep them under other row numbers now, even if their values are as they were.
  package var rewritten: [EntityDescription: Set<StoredValue>] { rewrittenIDs ?? [:] }
  /// The same as `rewritten`, or nil if there are none, as in each commit of this store.
  ///
  /// If it is nil, nothing is retained when changes are passed on.
  private var rewrittenIDs: [EntityDescription: Set<StoredValue>]?

  package init() {}

  /// Creates the changes of objects, each of which occurs once.
  ///
  /// Changes that change nothing are left out.
  ///
  /// It is for storages that report external changes.
  public init(_ changes: some Sequence<ObjectChange>) {
    for change in changes {
      guard let entity = (change.new ?? change.old)?.entity else { continue }
      if change.isVoid {
        noteRewritten(change.id, entity)
        continue
      }
      if let place = tables.firstIndex(where: { $0.entity == entity }) {
        tables[place].set(change)
      } else {
        tables.append(TableChanges(entity, CollectionOfOne(change)))
      }
    }
  }

  package mutating func noteRewritten(_ id: StoredValue, _ entity: EntityDescription) {
    // An id that is a whole number is the row number.
    if entity.columns[entity.identity].type == .integer { return }
    rewrittenIDs = rewrittenIDs ?? [:]
    rewrittenIDs?[entity, default: []].insert(id)
  }

  /// True if nothing changes.
  public var isEmpty: Bool { tables.isEmpty }

  /// The number of objects that change.
  public var count: Int { tables.reduce(0) { $0 + $1.count } }

  /// The changes of an entity, or nil if it has none.
  public subscript(entity: EntityDescription) -> TableChanges? {
    tables.first { $0.entity == entity }
  }

  /// The changes of all entities, in the order of the entities' names.
  var sortedTables: [TableChanges] {
    tables.sorted { TextBytes.compare($0.entity.name, $1.entity.name) < 0 }
  }
}

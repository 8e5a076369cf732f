/// What a commit changes, object by object: from the version before it to the version after.
public struct NetChanges: Sendable {
  /// The changes of each entity that has any, in the order in which they were first written to.
  public internal(set) var tables: [TableChanges] = []
  /// The objects that others have written again, by their entities: a storage may keep them under other row
  /// numbers now, also those whose values are as they were.
  package var rewritten: [EntityDescription: Set<StoredValue>] { rewrittenIDs ?? [:] }
  /// Nil if there are none, as in each commit of this store: nothing is retained then where changes are passed on.
  private var rewrittenIDs: [EntityDescription: Set<StoredValue>]?

  /// Nothing.
  package init() {}

  /// The changes of objects, each of which is named once; those that are none are left out.
  ///
  /// It is for storages that report what others have changed.
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

  /// Notes that an object has been written again.
  package mutating func noteRewritten(_ id: StoredValue, _ entity: EntityDescription) {
    // A whole number that is an id is the row's number.
    if entity.columns[entity.identity].type == .integer { return }
    rewrittenIDs = rewrittenIDs ?? [:]
    rewrittenIDs?[entity, default: []].insert(id)
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { tables.isEmpty }

  /// How many objects change.
  public var count: Int { tables.reduce(0) { $0 + $1.count } }

  /// The changes of an entity, if it has any.
  public subscript(entity: EntityDescription) -> TableChanges? {
    tables.first { $0.entity == entity }
  }
}

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

/// The changes of one entity's objects.
public struct TableChanges: Sendable {
  /// The entity.
  public let entity: EntityDescription
  /// The change of each object, in no order.
  public private(set) var all: ContiguousArray<ObjectChange> = []
  private var index = ChangeIndex()
  /// Whether the ids are whole numbers in ascending order, as they mostly are where many objects are
  /// written: then they are found without an index.
  private var ascends = true

  init(_ entity: EntityDescription) { self.entity = entity }

  init(_ entity: EntityDescription, _ changes: some Sequence<ObjectChange>) {
    self.entity = entity
    for change in changes { set(change) }
  }

  /// How many objects change.
  public var count: Int { all.count }

  /// The change of the object with an id, or nil.
  ///
  /// - Complexity: O(1) on average, or O(log *n*) where *n* objects were written in the order of their ids,
  ///   which are whole numbers.
  public subscript(id: StoredValue) -> ObjectChange? {
    place(of: id).map { all[$0] }
  }

  /// The changes in the order of ids.
  public var sorted: [ObjectChange] { all.sorted { $0.id < $1.id } }

  /// Calls `body` with each object that was there before and isn't any more.
  func forEachDeleted(_ body: (EntityRow) -> Void) {
    // By their positions, so that no change is copied.
    for place in all.indices where all[place].new == nil {
      if let old = all[place].old { body(old) }
    }
  }

  /// Whether any change is none after all.
  var haveVoid: Bool {
    all.indices.contains { all[$0].isVoid(in: entity) }
  }

  private func place(of id: StoredValue) -> Int? {
    if ascends { return placeAscending(id) }
    // A few are looked through.
    if all.count <= ChangeIndex.fewest { return all.firstIndex { $0.id == id } }
    return index.find(id.quickHash) { all[$0].id == id }
  }

  /// Sets the change of an object, and gives the one before.
  @discardableResult
  mutating func set(_ change: ObjectChange) -> ObjectChange? {
    if let place = place(of: change.id) {
      let old = all[place]
      all[place] = change
      return old
    }
    add(change)
    return nil
  }

  /// Adds the change of an object that has none yet.
  mutating func add(_ change: ObjectChange) {
    if ascends {
      if isAfterAll(change.id) { return all.append(change) }
      ascends = false
      index = ChangeIndex(all)
    }
    all.append(change)
    if all.count > ChangeIndex.fewest { index.add(all) }
  }

  /// Whether an id is a whole number after those of all objects, of which the last one has the highest.
  private func isAfterAll(_ id: StoredValue) -> Bool {
    guard case .integer(let number) = id else { return false }
    guard let last = all.indices.last else { return true }
    guard case .integer(let highest) = all[last].id else { return false }
    return number > highest
  }

  private func placeAscending(_ id: StoredValue) -> Int? {
    guard case .integer(let number) = id, !isAfterAll(id) else { return nil }
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      guard case .integer(let found) = all[middle].id else { return nil }
      if found == number { return middle }
      if found < number { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}

/// Finds changes by the hash of their ids: open addressing over places in their array.
private struct ChangeIndex {
  /// As many changes need no index.
  static let fewest = 8

  /// The places and one, or 0 where none is.
  private var places: ContiguousArray<UInt32> = []

  @inline(__always)
  func find(_ hash: UInt64, where matches: (Int) -> Bool) -> Int? {
    let mask = places.count - 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while true {
      let place = places[at]
      if place == 0 { return nil }
      if matches(Int(place) - 1) { return Int(place) - 1 }
      at = (at + 1) & mask
    }
  }

  private mutating func insert(_ place: Int, _ hash: UInt64) {
    let mask = places.count - 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while places[at] != 0 { at = (at + 1) & mask }
    places[at] = UInt32(place + 1)
  }

  /// No changes.
  init() {}

  /// The changes that are more than a few.
  init(_ changes: ContiguousArray<ObjectChange>) {
    guard changes.count > Self.fewest else { return }
    rebuild(changes)
  }

  private mutating func rebuild(_ changes: ContiguousArray<ObjectChange>) {
    var size = 32
    while size < changes.count * 2 { size *= 2 }
    places = ContiguousArray(repeating: 0, count: size)
    for place in changes.indices { insert(place, changes[place].id.quickHash) }
  }

  /// Adds the last of `changes`; the others are in it, or it is empty.
  mutating func add(_ changes: ContiguousArray<ObjectChange>) {
    let last = changes.count - 1
    if changes.count * 2 <= places.count { return insert(last, changes[last].id.quickHash) }
    rebuild(changes)
  }
}

/// The change of one object.
public struct ObjectChange: Sendable {
  /// The id.
  public let id: StoredValue
  /// The object before, nil if it is inserted.
  public let old: EntityRow?
  /// The object after, nil if it is deleted.
  public let new: EntityRow?

  /// The change of the object with an id.
  public init(id: StoredValue, old: EntityRow?, new: EntityRow?) {
    self.id = id
    self.old = old
    self.new = new
  }

  /// Whether nothing has changed after all: nothing before and after, or the same values.
  var isVoid: Bool {
    switch (old, new) {
    case (nil, nil): true
    case (let old?, let new?): old.isEqual(to: new)
    default: false
    }
  }

  /// The same for an object of an entity.
  fileprivate func isVoid(in entity: EntityDescription) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return old.box === new.box || old.isEqual(to: new, entity)
  }
}

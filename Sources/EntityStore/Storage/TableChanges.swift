/// The changes of one entity's objects.
///
///     for change in table.sorted { print(change) }
@_spi(Storage) public struct TableChanges: Sendable {
  /// The entity.
  public let entity: EntityDescription
  /// The change of each object, in no order.
  public private(set) var all: ContiguousArray<ObjectChange> = []
  /// The number of changes of objects that existed before.
  private(set) var countOfReplaced = 0
  /// The number of changes after which there is no object.
  private(set) var countOfGone = 0
  private var index = ChangeIndex()
  /// True if the ids are whole numbers in ascending order.
  ///
  /// They usually are if many objects are written. Then they are found without an index.
  private var ascends = true

  init(_ entity: EntityDescription) { self.entity = entity }

  init(_ entity: EntityDescription, _ changes: some Sequence<ObjectChange>) {
    self.entity = entity
    for change in changes { set(change) }
  }

  /// The number of objects that change.
  public var count: Int { all.count }

  /// The change of the object with an id, or nil.
  ///
  /// - Complexity: O(1) on average, or O(log *n*) if *n* objects were written in the order of their
  ///   ids, and the ids are whole numbers.
  public subscript(id: StoredValue) -> ObjectChange? {
    place(of: id).map { all[$0] }
  }

  /// Returns the same.
  ///
  /// It is mutating so that the changes aren't copied, which retains their parts, for a look-up in
  /// an object's property.
  mutating func change(of id: StoredValue) -> ObjectChange? { place(of: id).map { all[$0] } }

  /// The changes in the order of ids.
  public var sorted: [ObjectChange] { all.sorted { $0.id < $1.id } }

  /// Calls `body` with each object that existed before and is deleted now.
  func forEachDeleted(_ body: (EntityRow) -> Void) {
    // The loop uses positions, so that no change is copied.
    for place in all.indices where all[place].new == nil {
      if let old = all[place].old { body(old) }
    }
  }

  /// True if a change changes nothing.
  var hasEmptyChange: Bool {
    let entity = entity
    return all.withUnsafeBufferPointer { all in
      all.indices.contains { place in
        // The rows aren't retained: the array holds them.
        let (old, new) = (all[place].old?.unsafeObject, all[place].new?.unsafeObject)
        guard let old, let new, old != new else { return old == new }
        return EntityRow.areEqual(old, new, entity)
      }
    }
  }

  private func place(of id: StoredValue) -> Int? {
    if ascends { return placeAscending(id) }
    // A few changes are searched one by one.
    if all.count <= ChangeIndex.fewest { return all.firstIndex { $0.id == id } }
    return index.find(id.quickHash) { all[$0].id == id }
  }

  /// Sets the change of an object, and returns the one before.
  @discardableResult
  mutating func set(_ change: ObjectChange) -> ObjectChange? {
    if let place = place(of: change.id) {
      let old = all[place]
      all[place] = change
      countOfReplaced += (change.old == nil ? 0 : 1) - (old.old == nil ? 0 : 1)
      countOfGone += (change.new == nil ? 1 : 0) - (old.new == nil ? 1 : 0)
      return old
    }
    add(change)
    return nil
  }

  /// Replaces the new row of an object that has a change, and returns the change before.
  mutating func replaceNew(of id: StoredValue, with row: EntityRow?) -> ObjectChange? {
    guard let place = place(of: id) else { return nil }
    let last = all[place]
    all[place] = ObjectChange(id: last.id, old: last.old, new: row)
    countOfGone += (row == nil ? 1 : 0) - (last.new == nil ? 1 : 0)
    return last
  }

  /// Adds the change of an object that has none yet.
  mutating func add(_ change: consuming ObjectChange) {
    if change.old != nil { countOfReplaced += 1 }
    if change.new == nil { countOfGone += 1 }
    if ascends {
      if isAfterAll(change.id) { return all.append(change) }
      ascends = false
      index = ChangeIndex(all)
    }
    all.append(change)
    if all.count > ChangeIndex.fewest { index.add(all) }
  }

  /// Returns true if an id is a whole number greater than those of all objects.
  ///
  /// The last object has the highest one.
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

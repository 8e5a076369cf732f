/// The rows of one entity in one version, each in its own slot and found by its id.
///
/// A row keeps its slot until its object is deleted. A copy is O(1). Both can then be changed.
package struct RowTable: Sendable {
  private(set) var rows = UnsafeObjectVector<RowBox>()
  private var index = UnsafeSlotIndex()
  private let identity: Identity

  /// The functions that read the id.
  private struct Identity: @unchecked Sendable {
    // @unchecked: the closure captures constants only.
    let read: (UnsafeRawPointer) -> StoredValue
    /// The offset of the id in the object, if it is a whole number.
    let offset: Int?

    @inline(__always)
    func hash(of object: UnsafeRawPointer) -> UInt64 {
      guard let offset else { return read(object).quickHash }
      return StoredValue.quickHash(of: object.load(fromByteOffset: offset, as: Int64.self))
    }

    func isSame(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
      guard let offset else { return read(a) == read(b) }
      return a.load(fromByteOffset: offset, as: Int64.self)
        == b.load(fromByteOffset: offset, as: Int64.self)
    }
  }

  package init(_ entity: EntityDescription) {
    let access = entity.access[entity.identity]
    identity = Identity(
      read: access.read, offset: access.place.flatMap { $0.kind == .int ? $0.offset : nil })
  }

  /// Creates a table of `count` rows with different ids, in the slots from 0 on.
  ///
  /// - Complexity: O(*n*)
  package init(_ entity: EntityDescription, count: Int, row: (_ slot: Int) -> EntityRow) {
    self.init(entity)
    let read = identity.read
    var hashes: ContiguousArray<UInt64> = []
    hashes.reserveCapacity(count)
    // All work on a row is done at once, while it is in the cache.
    rows = UnsafeObjectVector(count: count) { slot in
      let box = row(slot).box
      hashes.append(withExtendedLifetime(box) { read(box.object).quickHash })
      return box
    }
    index = UnsafeSlotIndex(count: count) { hashes[$0] }
  }

  /// Creates a table of rows that are sorted already, the first in slot 0.
  ///
  /// - Complexity: O(*n*)
  package init(_ sorted: Sorting) {
    self.init(sorted.entity)
    let identity = identity
    var hashes: ContiguousArray<UInt64> = []
    hashes.reserveCapacity(sorted.count)
    sorted.retainAll { hashes.append(identity.hash(of: $0)) }
    rows = UnsafeObjectVector(count: sorted.count, taking: sorted.box)
    index = UnsafeSlotIndex(count: sorted.count) { hashes[sorted.place($0)] }
  }

  package var count: Int { index.count }

  /// The number of rows, and more if a visit of all rows also passes many free slots.
  ///
  /// After most rows have been deleted, their slots are still passed.
  var visitCost: Int { Swift.max(count, 2 * rows.leafCount) }

  // MARK: Reading

  package subscript(slot: Int) -> EntityRow? { rows[slot].map(EntityRow.init) }

  /// Returns the object in a slot; it is valid until the table is changed.
  package func object(_ slot: Int) -> UnsafeRawPointer? { rows.pointer(slot).map(Self.object) }

  @inline(__always)
  static func object(_ row: UnsafeRawPointer) -> UnsafeRawPointer {
    Unmanaged<RowBox>.fromOpaque(row)._withUnsafeGuaranteedRef { $0.object }
  }

  /// Returns the slot of the row with an id, or nil.
  ///
  /// - Complexity: O(1) on average.
  package func slot(of id: StoredValue) -> Int? { find(id)?.slot }

  /// Calls `body` with each object of another table, and the slot with its id here, or nil.
  ///
  /// If both tables have the same version of a row, the row isn't read here.
  ///
  /// - Complexity: O(*k*) on average, where *k* is the number of objects.
  package func forEachSlot(
    ofObjects objects: UnsafeBufferPointer<UnsafeRawPointer>,
    _ body: (_ object: UnsafeRawPointer, _ slot: Int?) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: objects.count) { hashes in
      // The places in the index are loaded from memory together.
      for position in objects.indices {
        let hash = identity.hash(of: objects[position])
        hashes.initializeElement(at: position, to: hash)
        index.prefetch(hash)
      }
      for position in objects.indices {
        let object = objects[position]
        let slot = index.find(hashes[position]) { slot in
          guard let row = rows.pointer(slot) else { return false }
          let own = Self.object(row)
          return own == object || identity.isSame(own, object)
        }
        body(object, slot)
      }
    }
  }

  /// Returns the row with an id, or nil.
  ///
  /// - Complexity: O(1) on average.
  package func row(_ id: StoredValue) -> EntityRow? {
    find(id).map { EntityRow(Unmanaged<RowBox>.fromOpaque($0.row).takeUnretainedValue()) }
  }

  private func find(_ id: StoredValue) -> (slot: Int, row: UnsafeRawPointer)? {
    if let offset = identity.offset, case .integer(let number) = id {
      return find(StoredValue.quickHash(of: number)) {
        $0.load(fromByteOffset: offset, as: Int64.self) == number
      }
    }
    return find(id.quickHash) { identity.read($0) == id }
  }

  @inline(__always)
  private func find(
    _ hash: UInt64, _ isSame: (_ object: UnsafeRawPointer) -> Bool
  ) -> (slot: Int, row: UnsafeRawPointer)? {
    var found: UnsafeRawPointer?
    let slot = index.find(hash) { slot in
      guard let row = rows.pointer(slot), isSame(Self.object(row)) else { return false }
      found = row
      return true
    }
    guard let slot, let found else { return nil }
    return (slot, found)
  }

  package func id(_ slot: Int) -> StoredValue { object(slot).map(identity.read) ?? .null }

  /// Calls `body` with each slot, its row and the object, in the order of slots.
  func forEach(_ body: (Int, Unmanaged<RowBox>, UnsafeRawPointer) throws -> Void) rethrows {
    try rows.forEach { slot, row in
      try body(slot, Unmanaged.fromOpaque(row), Self.object(row))
    }
  }

  /// Calls `body` with each slot whose row version differs from that in `other`, ascending.
  ///
  /// - Complexity: O(*d* log *n*), where *d* is the number of rows that differ.
  package func forEachDifference(
    from other: RowTable, _ body: (Int) throws -> Void
  ) rethrows {
    try rows.forEachDifference(from: other.rows, body)
  }

  // MARK: Changing

  /// Returns true if `more` rows can be added without finding a new place for all rows.
  ///
  /// New rows take the free slots first, and then the slots after the last one. So the count alone
  /// decides.
  func hasRoom(for more: Int) -> Bool { index.hasRoom(for: count + more - 1) }

  /// Begins several changes, which are then faster than alone.
  ///
  /// A copy that is made meanwhile must end before the next change.
  package mutating func beginChanges() {
    rows.beginChanges()
    index.beginChanges()
  }

  package mutating func endChanges() {
    rows.endChanges()
    index.endChanges()
  }

  /// Replaces a row with another version of the same object.
  package mutating func replace(_ slot: Int, with row: EntityRow) { rows.set(row.box, at: slot) }

  /// Adds a row whose id is new, in a slot that is free.
  package mutating func insert(_ row: EntityRow, at slot: Int) {
    // A commit may take new slots before it gives back others. So slots may be greater than the
    // count.
    while index.isFull || !index.hasRoom(for: slot) { enlarge() }
    rows.set(row.box, at: slot)
    index.insert(slot, hash: id(slot).quickHash)
  }

  package mutating func remove(_ slot: Int) {
    let hash = id(slot).quickHash
    do {
      // The copy is released before the rows change. Otherwise they would be copied.
      let (rows, read) = (rows, identity.read)
      index.remove(slot, hash: hash) { other in
        rows.pointer(other).map { read(Self.object($0)).quickHash } ?? 0
      }
    }
    rows.set(nil, at: slot)
  }

  private mutating func enlarge() {
    var larger = index.enlarged
    rows.forEach { slot, row in
      larger.insert(slot, hash: identity.read(Self.object(row)).quickHash)
    }
    index = larger
  }
}

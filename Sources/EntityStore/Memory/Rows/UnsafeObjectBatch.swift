internal import Locking

/// Objects of a table in the order of a tree, loaded from memory several at once.
///
///     var batch = UnsafeObjectBatch(of: table, size: 24, expected: 100)
///     batch.append(tree, 0..<100)
///     for object in batch.objects { … }
///     batch.clear()
///
/// Rows in the order of a key are anywhere in memory. So the processor is asked for several of them
/// at once, and they are read when the first ones have arrived. The table has to outlive the batch,
/// and must not be changed meanwhile.
package struct UnsafeObjectBatch: ~Copyable {
  private typealias Rows = UnsafeObjectVector<RowBox>

  /// The number of objects that are in the nearest cache at once.
  private static var size: Int { 128 }
  private static var line: Int { 64 }

  private let rows: Rows
  /// The leaves of the table by number, once many objects have been added.
  private var leaves: [Rows.UnsafeLeafElements?] = []
  /// True if the leaves are listed as soon as the first objects have been used.
  private var listsLeaves: Bool
  private var leaf = Rows.UnsafeLeaf()
  /// The distance from the first byte of an object to its last cache lines.
  private let second: Int
  private let pointers: UnsafeMutableBufferPointer<UnsafeRawPointer>
  private var count = 0

  /// Creates an empty batch of objects of `size` bytes, to which about `expected` are added in all.
  ///
  /// - Complexity: O(1)
  package init(of table: RowTable, size: Int, expected: Int) {
    rows = table.rows
    second = min(max(size - 1, 0), Self.line)
    pointers = .allocate(capacity: Self.size)
    // A list of all leaves spares each look-up the way down, if it serves enough of them.
    listsLeaves = expected > Self.size && expected >= rows.leafCount * 4
  }

  deinit { pointers.deallocate() }

  package var room: Int { Self.size - count }

  /// The objects, which are valid as long as the table isn't changed.
  package var objects: UnsafeBufferPointer<UnsafeRawPointer> {
    UnsafeBufferPointer(start: pointers.baseAddress, count: count)
  }

  package mutating func clear() {
    if listsLeaves && count > 0 {
      // A loop that ends after the first objects has no use for the list.
      listsLeaves = false
      leaves = rows.leaves
    }
    count = 0
  }

  /// Adds the objects of some of a tree's entries.
  ///
  /// - Precondition: there is room for them.
  package mutating func append(_ tree: RankTree, _ ranks: Range<Int>) {
    guard !leaves.isEmpty else { return tree.forEach(in: ranks) { append(Int($0.slot)) } }
    precondition(ranks.count <= room, "A batch gets more objects than it has room for")
    guard var next = pointers.baseAddress.map({ $0 + count }) else { return }
    leaves.withUnsafeBufferPointer { leaves in
      tree.forEach(in: ranks) { entry in
        guard let row = Rows.pointer(entry.slot, leaves) else { Self.refuseSlot() }
        let object = RowTable.object(row)
        unsafePrefetch(object)
        unsafePrefetch(object + second)
        next.initialize(to: object)
        next += 1
      }
    }
    count += ranks.count
  }

  /// Adds the object in a slot.
  ///
  /// - Precondition: there is room for it.
  @inline(__always)
  package mutating func append(_ slot: Int) {
    precondition(count < Self.size, "A batch gets more objects than it has room for")
    guard let row = rows.pointer(slot, &leaf) else { Self.refuseSlot() }
    let object = RowTable.object(row)
    unsafePrefetch(object)
    unsafePrefetch(object + second)
    pointers.initializeElement(at: count, to: object)
    count &+= 1
  }

  private static func refuseSlot() -> Never {
    preconditionFailure("A tree names a row that its table doesn't have")
  }
}

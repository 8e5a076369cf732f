internal import Locking

/// Objects of a table in the order of a tree, loaded from memory several at once.
///
///     var batch = UnsafeObjectBatch(of: table, size: 24)
///     batch.append(tree, 0..<100)
///     for object in batch.objects { … }
///     batch.clear()
///
/// Rows in the order of a key are anywhere in memory. So the processor is asked for several of them
/// at once, and they are read when the first ones have arrived. The table has to outlive the batch,
/// and must not be changed meanwhile.
package struct UnsafeObjectBatch: ~Copyable {
  /// The number of objects that are in the nearest cache at once.
  private static var size: Int { 64 }
  private static var line: Int { 64 }

  private let rows: UnsafeObjectVector<RowBox>
  private var leaf = UnsafeObjectVector<RowBox>.UnsafeLeaf()
  /// The distance from the first byte of an object to its last cache lines.
  private let second: Int
  private let pointers: UnsafeMutableBufferPointer<UnsafeRawPointer>
  private var count = 0

  /// Creates an empty batch of objects of `size` bytes.
  package init(of table: RowTable, size: Int) {
    rows = table.rows
    second = min(max(size - 1, 0), Self.line)
    pointers = .allocate(capacity: Self.size)
  }

  deinit { pointers.deallocate() }

  /// The number of objects for which there is room.
  package var room: Int { Self.size - count }

  /// The objects, which are valid as long as the table isn't changed.
  package var objects: UnsafeBufferPointer<UnsafeRawPointer> {
    UnsafeBufferPointer(rebasing: pointers[..<count])
  }

  /// Removes all objects.
  package mutating func clear() { count = 0 }

  /// Adds the objects of some of a tree's entries.
  ///
  /// - Precondition: there is room for them.
  package mutating func append(_ tree: RankTree, _ ranks: Range<Int>) {
    tree.forEach(in: ranks) { append(Int($0.slot)) }
  }

  /// Adds the object in a slot.
  ///
  /// - Precondition: there is room for it.
  @inline(__always)
  package mutating func append(_ slot: Int) {
    precondition(count < Self.size, "A batch gets more objects than it has room for")
    guard let row = rows.pointer(slot, &leaf) else {
      preconditionFailure("A tree names a row that its table doesn't have")
    }
    let object = RowTable.object(row)
    unsafePrefetch(object)
    unsafePrefetch(object + second)
    pointers.initializeElement(at: count, to: object)
    count &+= 1
  }
}

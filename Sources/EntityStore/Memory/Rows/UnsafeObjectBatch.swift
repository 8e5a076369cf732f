internal import Locking

/// A batch of objects that are loaded from memory while further rows are looked up.
///
///     var batch = UnsafeObjectBatch(of: table)
///     tree.forEach { batch.add(Int($0.slot), body) }
///     batch.finish(body)
///
/// Rows in the order of a key are anywhere in memory. So several of them are requested at once.
/// They are passed on together, when the first ones have arrived. The table has to outlive the
/// batch, and must not be changed meanwhile.
package struct UnsafeObjectBatch: ~Copyable {
  /// The number of objects that are in the nearest cache at once.
  private static var size: Int { 64 }
  private static var line: Int { 64 }

  private let rows: UnsafeObjectVector<RowBox>
  private var leaf = UnsafeObjectVector<RowBox>.UnsafeLeaf()
  /// The distance from the first byte of an object to its last cache lines.
  private let second: Int
  private let objects: UnsafeMutableBufferPointer<UnsafeRawPointer>
  private var count = 0

  /// Creates an empty batch of objects of `size` bytes.
  package init(of table: RowTable, size: Int) {
    rows = table.rows
    second = min(max(size - 1, 0), Self.line)
    objects = .allocate(capacity: Self.size)
  }

  deinit { objects.deallocate() }

  /// Adds the object in a slot, and calls `body` when there are enough objects.
  @inline(__always)
  package mutating func add(
    _ slot: Int, _ body: (UnsafeBufferPointer<UnsafeRawPointer>) -> Void
  ) {
    guard let row = rows.pointer(slot, &leaf) else {
      preconditionFailure("A tree names a row that its table doesn't have")
    }
    let object = RowTable.object(row)
    unsafePrefetch(object)
    unsafePrefetch(object + second)
    objects.initializeElement(at: count, to: object)
    count &+= 1
    if count == Self.size { finish(body) }
  }

  /// Calls `body` with the remaining objects.
  package mutating func finish(_ body: (UnsafeBufferPointer<UnsafeRawPointer>) -> Void) {
    if count > 0 { body(UnsafeBufferPointer(rebasing: objects[..<count])) }
    count = 0
  }
}

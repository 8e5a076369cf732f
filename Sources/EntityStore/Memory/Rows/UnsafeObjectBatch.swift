internal import Locking

/// The objects of many rows, on their way from memory while some more are looked for.
///
///     var batch = UnsafeObjectBatch(of: table)
///     tree.forEach { batch.add(Int($0.slot), body) }
///     batch.finish(body)
///
/// Rows in the order of a key are anywhere in memory. So some of them are asked for at once, and are given
/// on together, when the first have come. The table has to outlive the batch, and isn't changed meanwhile.
package struct UnsafeObjectBatch: ~Copyable {
  /// As many objects are in the nearest cache at once.
  private static var size: Int { 64 }
  private static var line: Int { 64 }

  private let rows: UnsafeObjectVector<RowBox>
  private var leaf = UnsafeObjectVector<RowBox>.UnsafeLeaf()
  /// How far behind the first byte of an object its last lines begin.
  private let second: Int
  private let objects: UnsafeMutableBufferPointer<UnsafeRawPointer>
  private var count = 0

  /// An empty batch of objects that have so many bytes.
  package init(of table: RowTable, size: Int) {
    rows = table.rows
    second = min(max(size - 1, 0), Self.line)
    objects = .allocate(capacity: Self.size)
  }

  deinit { objects.deallocate() }

  /// Adds the object in a slot; when there are enough, `body` is called with them.
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

  /// Calls `body` with the objects that are left.
  package mutating func finish(_ body: (UnsafeBufferPointer<UnsafeRawPointer>) -> Void) {
    if count > 0 { body(UnsafeBufferPointer(rebasing: objects[..<count])) }
    count = 0
  }
}

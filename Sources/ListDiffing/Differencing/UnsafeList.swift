/// A growing list of trivial values.
///
/// Its owner has to deallocate its memory.
///
/// It is used instead of an array because appending to an array involves checks.
@usableFromInline
struct _UnsafeList<Value: BitwiseCopyable> {
  @usableFromInline var start: UnsafeMutablePointer<Value>
  @usableFromInline var count = 0
  @usableFromInline var capacity: Int

  @inlinable
  init(capacity: Int) {
    self.capacity = Swift.max(capacity, 1)
    start = .allocate(capacity: self.capacity)
  }

  @inlinable
  func deallocate() { start.deallocate() }

  @inlinable
  @inline(__always)
  mutating func append(_ value: Value) {
    if count == capacity { grow() }
    start[count] = value
    count &+= 1
  }

  @inlinable
  @inline(never)
  mutating func grow() {
    let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: start, count: count)
    start.deallocate()
    start = larger
    capacity *= 2
  }

  @inlinable
  @inline(__always)
  subscript(index: Int) -> Value {
    get { start[index] }
    nonmutating set { start[index] = newValue }
  }
}

extension _UnsafeList<Int32> {
  /// Appends positions for which there is room.
  mutating func append(_ positions: Range<Int32>) {
    let end = start + count
    for offset in 0..<positions.count {
      end[offset] = positions.lowerBound &+ Int32(truncatingIfNeeded: offset)
    }
    count &+= positions.count
  }
}

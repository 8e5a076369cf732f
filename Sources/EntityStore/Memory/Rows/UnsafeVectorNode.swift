internal import Locking

/// A node of a vector's tree: the addresses of its children, or in a leaf of objects.
///
/// It counts no references. The vector's versions know which nodes and objects are theirs.
typealias UnsafeVectorNode = UnsafeMutablePointer<UnsafeRawPointer?>

extension UnsafeMutablePointer where Pointee == UnsafeRawPointer? {
  /// The binary logarithm of the number of branches.
  @inline(__always) static var bits: Int { 5 }
  @inline(__always) static var width: Int { 1 << bits }
  @inline(__always) static var mask: Int { width - 1 }

  /// Creates a node at an address that another node has.
  @inline(__always)
  init(child: UnsafeRawPointer) { self.init(mutating: child.assumingMemoryBound(to: Pointee.self)) }

  @inline(__always)
  func child(_ index: Int) -> Self? { self[index].map(Self.init(child:)) }

  /// Returns true if four elements from `index` on are those of another node.
  @inline(__always)
  func hasFour(of other: Self, at index: Int) -> Bool {
    var bits: UInt = 0
    for place in index..<index + 4 {
      bits |= UInt(bitPattern: self[place]) ^ UInt(bitPattern: other[place])
    }
    return bits == 0
  }

  /// Returns a new node without children.
  static func make() -> Self {
    let node = allocate(capacity: width)
    node.initialize(repeating: nil, count: width)
    return node
  }

  /// Returns a new node with the same children.
  func copy() -> Self {
    let node = Self.allocate(capacity: Self.width)
    node.initialize(from: self, count: Self.width)
    return node
  }

  /// Releases all objects below a node, and frees the nodes.
  func releaseAll(_ shift: Int) {
    if shift > 0 {
      for index in 0..<Self.width {
        if let element = self[index] { Self(child: element).releaseAll(shift - Self.bits) }
      }
    } else {
      // The reference counts are loaded from memory together.
      for index in 0..<Self.width { if let element = self[index] { unsafePrefetch(element) } }
      for index in 0..<Self.width {
        if let element = self[index] { Unmanaged<AnyObject>.fromOpaque(element).release() }
      }
    }
    deallocate()
  }

  /// Returns the leaf that has a number, or nil; the node is the root of a tree.
  @inline(__always)
  func leaf(of number: Int, _ shift: Int) -> Self? {
    if number >> shift >= Self.width { return nil }
    var (node, shift) = (self, shift)
    while shift > 0 {
      guard let child = node[(number >> shift) & Self.mask] else { return nil }
      node = Self(child: child)
      shift -= Self.bits
    }
    return node
  }

  /// Calls `body` with each number at which two trees have different objects, ascending.
  static func forEachDifference(
    _ a: (root: Self?, shift: Int), _ b: (root: Self?, shift: Int), _ body: (Int) throws -> Void
  ) rethrows {
    try forEachDifference(
      (a.root.map(UnsafeRawPointer.init), a.shift), (b.root.map(UnsafeRawPointer.init), b.shift), 0,
      body)
  }

  /// Compares two nodes, or objects where the shift is negative, that begin with the same number.
  private static func forEachDifference(
    _ a: (element: UnsafeRawPointer?, shift: Int), _ b: (element: UnsafeRawPointer?, shift: Int),
    _ start: Int, _ body: (Int) throws -> Void
  ) rethrows {
    if a.shift == b.shift && a.element == b.element { return }
    let shift = max(a.shift, b.shift)
    if shift < 0 { return try body(start) }
    for index in 0..<width {
      try forEachDifference(
        child(a, index, at: shift), child(b, index, at: shift), start | index << shift, body)
    }
  }

  /// Returns the child at an index of a node, whose tree may be lower than `shift`.
  private static func child(
    _ node: (element: UnsafeRawPointer?, shift: Int), _ index: Int, at shift: Int
  ) -> (element: UnsafeRawPointer?, shift: Int) {
    // A lower tree as a whole is the first child of a higher one.
    if node.shift < shift { return index == 0 ? node : (nil, shift - bits) }
    return (node.element.flatMap { Self(child: $0)[index] }, shift - bits)
  }
}

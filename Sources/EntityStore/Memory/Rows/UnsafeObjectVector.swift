internal import Locking

/// A list of objects by number, with holes.
///
/// It can be copied in O(1) and changed in O(log n). Copies share everything that is the same.
///
/// It is a tree with 32 branches per node. A change copies the nodes on the way down, unless they
/// belong to this version alone. Nodes contain plain addresses: a copy of a node retains nothing,
/// and a read retains only its result. `UnsafeVersionTree` knows which version has what.
struct UnsafeObjectVector<Object: AnyObject>: @unchecked Sendable {
  // @unchecked: a node is changed only while one version alone has it. The objects must be safe to
  // share: rows and pages are.
  typealias Node = UnsafeVectorNode

  /// The version that this vector holds, or nil if it is empty.
  var version: UnsafeVectorVersion?
  var root: Node?
  /// The number of bits by which a number is shifted for its place in the root.
  var shift = 0
  /// True between `beginChanges` and `endChanges`.
  var isChanging = false
  /// The version from which this one has been made since `beginChanges`, so that it doesn't end.
  var former: UnsafeVectorVersion?

  init() {}

  /// Creates a vector of `count` objects, numbered from 0 and requested in this order.
  ///
  /// - Complexity: O(*n*)
  init(count: Int, _ object: (_ number: Int) -> Object) {
    self.init(count: count, taking: { Unmanaged.passRetained(object($0)) })
  }

  /// Creates a vector of `count` objects that are retained already.
  ///
  /// They are numbered from 0 and requested in this order.
  ///
  /// - Complexity: O(*n*)
  init(count: Int, taking object: (_ number: Int) -> Unmanaged<Object>) {
    var level: [Node] = []
    level.reserveCapacity(count / Node.width + 1)
    var number = 0
    while number < count {
      let node = Node.make()
      let end = min(number + Node.width, count)
      for place in 0..<(end - number) {
        node[place] = UnsafeRawPointer(object(number + place).toOpaque())
      }
      level.append(node)
      number = end
    }
    while level.count > 1 {
      var parents: [Node] = []
      for (index, node) in level.enumerated() {
        if index % Node.width == 0 { parents.append(Node.make()) }
        parents[parents.count - 1][index % Node.width] = UnsafeRawPointer(node)
      }
      level = parents
      shift += Node.bits
    }
    guard let root = level.first else { return }
    self.root = root
    version = UnsafeVectorVersion(root, shift)
  }

  // MARK: Reading

  /// The object with a number, or nil.
  ///
  /// - Complexity: O(log *n*) with base 32.
  subscript(number: Int) -> Object? {
    pointer(number).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns the object with a number; it is valid as long as the vector holds it.
  @inline(__always)
  func pointer(_ number: Int) -> UnsafeRawPointer? {
    leafElements(number).flatMap { $0[number & Node.mask] }
  }

  /// The leaf that was read last, for reads of numbers that are often near each other.
  struct UnsafeLeaf {
    fileprivate var elements: Node?
    fileprivate var number = -1

    /// Creates a value for no leaf.
    init() {}
  }

  /// Returns the object with a number, and keeps its leaf in `leaf`.
  ///
  /// `leaf` must come from a read of this vector, which hasn't changed since.
  @inline(__always)
  func pointer(_ number: Int, _ leaf: inout UnsafeLeaf) -> UnsafeRawPointer? {
    if number >> Node.bits != leaf.number {
      leaf.elements = leafElements(number)
      leaf.number = number >> Node.bits
    }
    return leaf.elements.flatMap { $0[number & Node.mask] }
  }

  @inline(__always)
  private func leafElements(_ number: Int) -> Node? { root?.leaf(of: number, shift) }

  /// The objects of a leaf, which are valid as long as the vector holds them.
  typealias UnsafeLeafElements = UnsafeVectorNode

  /// The number of leaves up to the last one, or a few more.
  var leafCount: Int {
    guard shift > 0, let root else { return 1 }
    let used = (0..<Node.width).last { root[$0] != nil }.map { $0 + 1 } ?? 0
    return used << (shift - Node.bits)
  }

  /// The leaves in order, each at its number; nil where there is none.
  ///
  /// They are valid as long as the vector holds them, and isn't changed.
  ///
  /// - Complexity: O(*n* / 32), where *n* is the highest number.
  var leaves: [UnsafeLeafElements?] {
    withExtendedLifetime(version) {
      guard let root else { return [] }
      let count = leafCount
      return [UnsafeLeafElements?](unsafeUninitializedCapacity: count) { leaves, initialized in
        leaves.initialize(repeating: nil)
        Self.list(root, shift, 0, in: leaves)
        initialized = count
      }
    }
  }

  private static func list(
    _ elements: UnsafeLeafElements, _ shift: Int, _ start: Int,
    in leaves: UnsafeMutableBufferPointer<UnsafeLeafElements?>
  ) {
    if shift == 0 {
      leaves[start] = elements
      return
    }
    let isLast = shift == Node.bits
    for index in 0..<Node.width {
      guard let element = elements[index] else { continue }
      let number = start | index << (shift - Node.bits)
      if isLast {
        leaves[number] = Node(child: element)
      } else {
        list(Node(child: element), shift - Node.bits, number, in: leaves)
      }
    }
  }

  /// Returns the object with a number, by a list of all leaves.
  @inline(__always)
  static func pointer(
    _ number: UInt32, _ leaves: UnsafeBufferPointer<UnsafeLeafElements?>
  ) -> UnsafeRawPointer? {
    let leaf = Int(number >> UInt32(Node.bits))
    guard leaf < leaves.count, let elements = leaves[leaf] else { return nil }
    return elements[Int(number) & Node.mask]
  }

  /// Calls `body` with each number and its object, ascending.
  func forEach(_ body: (Int, UnsafeRawPointer) throws -> Void) rethrows {
    try withExtendedLifetime(version) {
      if let root { try Self.forEach(root, shift, 0, body) }
    }
  }

  private static func forEach(
    _ elements: Node, _ shift: Int, _ start: Int,
    _ body: (Int, UnsafeRawPointer) throws -> Void
  ) rethrows {
    for index in 0..<Node.width {
      guard let element = elements[index] else { continue }
      let number = start | index << shift
      if shift == 0 {
        try body(number, element)
      } else {
        try forEach(Node(child: element), shift - Node.bits, number, body)
      }
    }
  }

  /// Calls `body` with each number whose object differs from that in `other`, ascending.
  ///
  /// Nodes that the two share aren't visited.
  ///
  /// - Complexity: O(*d* log *n*), where *d* is the number of nodes of the lowest level that
  ///   differ.
  func forEachDifference(from other: UnsafeObjectVector, _ body: (Int) throws -> Void) rethrows {
    try withExtendedLifetime((version, other.version)) {
      try Node.forEachDifference((root, shift), (other.root, other.shift), body)
    }
  }
}

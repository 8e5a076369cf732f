internal import Locking

/// A list of objects by number, with holes.
///
/// It can be copied in O(1) and changed in O(log n). Copies share everything that is the same.
///
/// It is a tree with 16 branches per node. A change copies and retains fewer references than in a
/// wider tree, and a read takes only a few more steps. A node that only one vector holds is changed
/// in place. Other nodes are copied on the way down. A node keeps its children, and a leaf its
/// objects, as plain pointers that it retains and releases itself. So a read retains nothing but
/// its result.
struct UnsafeObjectVector<Object: AnyObject>: @unchecked Sendable {
  // @unchecked: a node is changed only while one vector alone holds it. The objects must be safe to
  // share: rows and pages are.
  private var root = Node.make()
  /// The number of bits by which a number is shifted for its place in the root.
  private var shift = 0

  init() {}

  /// Creates a vector of the objects of a collection, numbered from 0.
  ///
  /// - Complexity: O(*n*)
  init(_ objects: some RandomAccessCollection<Object>) {
    var rest = objects.makeIterator()
    self.init(count: objects.count) { _ in
      guard let object = rest.next() else {
        preconditionFailure("A collection has fewer elements than it says")
      }
      return object
    }
  }

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
        node.elements[place] = UnsafeRawPointer(object(number + place).toOpaque())
      }
      level.append(node)
      number = end
    }
    while level.count > 1 {
      var parents: [Node] = []
      for (index, node) in level.enumerated() {
        if index % Node.width == 0 { parents.append(Node.make()) }
        parents[parents.count - 1].elements[index % Node.width] =
          UnsafeRawPointer(Unmanaged.passRetained(node).toOpaque())
      }
      level = parents
      shift += Node.bits
    }
    if let root = level.first { self.root = root }
  }

  // MARK: Reading

  /// The object with a number, or nil.
  ///
  /// - Complexity: O(log *n*) with base 16.
  subscript(number: Int) -> Object? {
    pointer(number).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns the object with a number; it is valid as long as the vector holds it.
  @inline(__always)
  func pointer(_ number: Int) -> UnsafeRawPointer? {
    leafElements(number).flatMap { $0[number & (Node.width - 1)] }
  }

  /// The leaf that was read last, for reads of numbers that are often near each other.
  struct UnsafeLeaf {
    fileprivate var elements: UnsafeMutablePointer<UnsafeRawPointer?>?
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
    return leaf.elements.flatMap { $0[number & (Node.width - 1)] }
  }

  /// Returns the objects of the leaf that has a number, or nil.
  @inline(__always)
  private func leafElements(_ number: Int) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
    guard number >> shift < Node.width else { return nil }
    var elements = root.elements
    var shift = shift
    while shift > 0 {
      guard let child = elements[(number >> shift) & (Node.width - 1)] else { return nil }
      elements = Self.elements(child)
      shift -= Node.bits
    }
    return elements
  }

  @inline(__always)
  private static func elements(_ node: UnsafeRawPointer) -> UnsafeMutablePointer<UnsafeRawPointer?>
  {
    Unmanaged<Node>.fromOpaque(node)._withUnsafeGuaranteedRef { $0.elements }
  }

  /// The objects of a leaf, which are valid as long as the vector holds them.
  typealias UnsafeLeafElements = UnsafeMutablePointer<UnsafeRawPointer?>

  /// The number of leaves up to the last one, or a few more.
  var leafCount: Int {
    if shift == 0 { return 1 }
    let used = (0..<Node.width).last { root.elements[$0] != nil }.map { $0 + 1 } ?? 0
    return used << (shift - Node.bits)
  }

  /// The leaves in order, each at its number; nil where there is none.
  ///
  /// They are valid as long as the vector holds them, and isn't changed.
  ///
  /// - Complexity: O(*n* / 16), where *n* is the highest number.
  var leaves: [UnsafeLeafElements?] {
    withExtendedLifetime(root) {
      let count = leafCount
      return [UnsafeLeafElements?](unsafeUninitializedCapacity: count) { leaves, initialized in
        leaves.initialize(repeating: nil)
        Self.list(root.elements, shift, 0, in: leaves)
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
        leaves[number] = Self.elements(element)
      } else {
        list(Self.elements(element), shift - Node.bits, number, in: leaves)
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
    return elements[Int(number) & (Node.width - 1)]
  }

  /// Calls `body` with each number and its object, ascending.
  func forEach(_ body: (Int, UnsafeRawPointer) throws -> Void) rethrows {
    try withExtendedLifetime(root) { try Self.forEach(root.elements, shift, 0, body) }
  }

  private static func forEach(
    _ elements: UnsafeMutablePointer<UnsafeRawPointer?>, _ shift: Int, _ start: Int,
    _ body: (Int, UnsafeRawPointer) throws -> Void
  ) rethrows {
    for index in 0..<Node.width {
      guard let element = elements[index] else { continue }
      let number = start | index << shift
      if shift == 0 {
        try body(number, element)
      } else {
        try forEach(Self.elements(element), shift - Node.bits, number, body)
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
    try withExtendedLifetime((root, other.root)) {
      let (mine, theirs) = (Self.opaque(root), Self.opaque(other.root))
      try Self.forEachDifference((mine, shift), (theirs, other.shift), 0, body)
    }
  }

  private static func opaque(_ node: Node) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(node).toOpaque())
  }

  /// Compares two nodes, or objects where the shift is negative, that begin with the same number.
  private static func forEachDifference(
    _ a: (element: UnsafeRawPointer?, shift: Int), _ b: (element: UnsafeRawPointer?, shift: Int),
    _ start: Int, _ body: (Int) throws -> Void
  ) rethrows {
    if a.shift == b.shift && a.element == b.element { return }
    let shift = max(a.shift, b.shift)
    if shift < 0 { return try body(start) }
    for index in 0..<Node.width {
      try forEachDifference(
        child(a, index, at: shift), child(b, index, at: shift), start | index << shift, body)
    }
  }

  /// Returns the child at an index of a node, whose tree may be lower than `shift`.
  private static func child(
    _ node: (element: UnsafeRawPointer?, shift: Int), _ index: Int, at shift: Int
  ) -> (element: UnsafeRawPointer?, shift: Int) {
    // A lower tree as a whole is the first child of a higher one.
    if node.shift < shift { return index == 0 ? node : (nil, shift - Node.bits) }
    return (node.element.flatMap { elements($0)[index] }, shift - Node.bits)
  }

  // MARK: Changing

  /// Replaces the object with a number by another one, or by nil.
  mutating func set(_ object: Object?, at number: Int) {
    let place = place(of: number)
    let old = place.pointee
    place.pointee = object.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
    if let old { Unmanaged<AnyObject>.fromOpaque(old).release() }
  }

  /// Returns the object with a number; `copy` makes it this vector's own if others hold it, too.
  mutating func unique(_ number: Int, copy: (Object) -> Object) -> Object? {
    let place = place(of: number)
    guard let element = place.pointee else { return nil }
    var object = Unmanaged<Object>.fromOpaque(element).takeRetainedValue()
    if !isKnownUniquelyReferenced(&object) { object = copy(object) }
    place.pointee = UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())
    return object
  }

  /// Returns the place of a number, in a leaf that this vector alone holds.
  private mutating func place(of number: Int) -> UnsafeMutablePointer<UnsafeRawPointer?> {
    while number >> shift >= Node.width {
      let parent = Node.make()
      parent.elements[0] = UnsafeRawPointer(Unmanaged.passRetained(root).toOpaque())
      root = parent
      shift += Node.bits
    }
    if !isKnownUniquelyReferenced(&root) { root = root.copy() }
    var elements = root.elements
    var shift = shift
    while shift > 0 {
      elements = Self.ownChild(elements + ((number >> shift) & (Node.width - 1))).elements
      shift -= Node.bits
    }
    return elements + (number & (Node.width - 1))
  }

  /// Returns the child at a place, and makes it its parent's own.
  private static func ownChild(_ place: UnsafeMutablePointer<UnsafeRawPointer?>) -> Node {
    guard let element = place.pointee else {
      let node = Node.make()
      place.pointee = UnsafeRawPointer(Unmanaged.passRetained(node).toOpaque())
      return node
    }
    // The child is taken out, so that the parent's reference doesn't count.
    var node = Unmanaged<Node>.fromOpaque(element).takeRetainedValue()
    if !isKnownUniquelyReferenced(&node) { node = node.copy() }
    place.pointee = UnsafeRawPointer(Unmanaged.passRetained(node).toOpaque())
    return node
  }
}

/// A node of children or objects; it isn't generic, so that no runtime calls are made on the way
/// down.
private final class Node: ManagedBuffer<Void, UnsafeRawPointer?> {
  static var bits: Int { 4 }
  static var width: Int { 1 << bits }

  static func make() -> Node {
    let node = unsafeDowncast(create(minimumCapacity: width) { _ in }, to: Node.self)
    node.elements.initialize(repeating: nil, count: width)
    return node
  }

  var elements: UnsafeMutablePointer<UnsafeRawPointer?> {
    withUnsafeMutablePointerToElements { $0 }
  }

  func copy() -> Node {
    let node = Node.make()
    for index in 0..<Node.width {
      guard let element = elements[index] else { continue }
      node.elements[index] = element
      _ = Unmanaged<AnyObject>.fromOpaque(element).retain()
    }
    return node
  }

  deinit {
    // The reference counts are loaded from memory together.
    for index in 0..<Node.width {
      if let element = elements[index] { unsafePrefetch(element) }
    }
    for index in 0..<Node.width {
      if let element = elements[index] { Unmanaged<AnyObject>.fromOpaque(element).release() }
    }
  }
}

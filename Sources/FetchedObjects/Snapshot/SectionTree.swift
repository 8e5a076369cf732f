internal import EntityStore
internal import Locking

/// The sections of a result, in order.
///
/// A tree is copied in O(1) and changed in O(log n). The copies share the parts that are the same.
///
/// It is a B+tree that counts sections and their rows. So a section is found by its position, by
/// the position of one of its rows, and by its key. Nodes that only one tree holds are changed in
/// place. Other nodes are copied on the way down. The rows of each section have their own tree.
struct SectionTree: Sendable {
  typealias Element = ResultSection

  final class Node: @unchecked Sendable {
    // @unchecked: a node is changed only while one tree alone holds it. Its summary is the
    // exception: it is set atomically.
    @exclusivity(unchecked) var elements: ContiguousArray<Element> = []
    @exclusivity(unchecked) var children: ContiguousArray<Node> = []
    /// The number of sections below each child.
    @exclusivity(unchecked) var counts: ContiguousArray<Int> = []
    /// The number of all elements.
    @exclusivity(unchecked) var count = 0
    /// The number of rows below each child; a section knows its own number.
    @exclusivity(unchecked) var rowCounts: ContiguousArray<Int> = []
    /// The number of all rows.
    @exclusivity(unchecked) var rowCount = 0
    /// The summary of the sections below, once it has been requested.
    let summary: OnceReference<ResultSummary>
    /// The check sum of the sections below, once it has been requested.
    let checkSum: OnceReference<KeptFeedSum>

    init(keepsSummary: Bool) {
      summary = OnceReference(keepsObject: keepsSummary)
      checkSum = OnceReference(keepsObject: keepsSummary)
    }

    /// Creates a leaf with one section.
    convenience init(only element: Element, keepsSummary: Bool) {
      self.init(keepsSummary: keepsSummary)
      elements = [element]
      count = 1
      rowCount = element.rows.count
    }

    var keepsSummary: Bool { summary.keepsObject }

    var isLeaf: Bool { children.isEmpty }
    var width: Int { isLeaf ? elements.count : children.count }

    /// Returns the number of rows below a child, or in a section of a leaf.
    func rowCount(at index: Int) -> Int {
      isLeaf ? elements[index].rows.count : rowCounts[index]
    }

    /// Returns a node with the same contents, but without a summary.
    func copy() -> Node {
      let node = Node(keepsSummary: keepsSummary)
      node.elements = elements
      node.children = children
      node.counts = counts
      node.count = count
      node.rowCounts = rowCounts
      node.rowCount = rowCount
      return node
    }

    /// Counts the sections and rows below from scratch.
    func tally() {
      if isLeaf {
        count = elements.count
        rowCount = elements.reduce(0) { $0 + $1.rows.count }
      } else {
        counts = ContiguousArray(children.lazy.map { $0.count })
        rowCounts = ContiguousArray(children.lazy.map { $0.rowCount })
        count = counts.reduce(0, +)
        rowCount = rowCounts.reduce(0, +)
      }
    }

    /// Replaces a section of a leaf.
    func replace(_ index: Int, with element: Element) {
      rowCount += element.rows.count - elements[index].rows.count
      elements[index] = element
    }

    /// Counts the sections and rows of one child again.
    func tally(_ index: Int) {
      let child = children[index]
      count += child.count - counts[index]
      counts[index] = child.count
      rowCount += child.rowCount - rowCounts[index]
      rowCounts[index] = child.rowCount
    }
  }

  /// The maximum number of elements in a leaf, and of children in an inner node.
  ///
  /// Elements are references, and a copied node retains each of them. So narrower nodes are faster
  /// here than for plain numbers.
  static var widest: Int { 32 }
  static var narrowest: Int { 8 }
  /// The number of elements or children with which a node is built, at most.
  private static var fill: Int { 24 }

  var root: Node

  /// Creates a tree of `elements` in O(n); its nodes keep summaries if `keepsSummaries` is true.
  init(_ elements: [Element] = [], keepsSummaries: Bool = false) {
    var level = Self.evenParts(of: elements.count).map { range in
      let node = Node(keepsSummary: keepsSummaries)
      node.elements = ContiguousArray(elements[range])
      node.tally()
      return node
    }
    while level.count > 1 {
      level = Self.evenParts(of: level.count).map { Self.parent(of: level[$0]) }
    }
    root = level.first ?? Node(keepsSummary: keepsSummaries)
  }

  /// Returns as few ranges as possible, all about as large, so that only a single range can be
  /// narrow.
  private static func evenParts(of count: Int) -> [Range<Int>] {
    let parts = (count + fill - 1) / fill
    return (0..<parts).map { (count * $0 / parts)..<(count * ($0 + 1) / parts) }
  }

  static func parent(of children: some Collection<Node>) -> Node {
    let node = Node(keepsSummary: children.first?.keepsSummary ?? false)
    node.children = ContiguousArray(children)
    node.tally()
    return node
  }

  // MARK: Reading

  var count: Int { root.count }

  var isEmpty: Bool { root.count == 0 }

  /// True if the tree has exactly one section.
  var isOnlySection: Bool { root.isLeaf && root.count == 1 }

  /// The number of rows in all sections.
  var rowCount: Int { root.rowCount }

  /// Returns the number of rows in the sections before a position.
  ///
  /// - Complexity: O(log n)
  func rowCount(before position: Int) -> Int {
    var node = root
    var position = position
    var rows = 0
    while !node.isLeaf {
      let child = Self.child(of: node, holding: &position)
      for index in 0..<child { rows += node.rowCounts[index] }
      node = node.children[child]
    }
    for index in 0..<position { rows += node.rowCount(at: index) }
    return rows
  }

  /// Returns the section that holds a row, and the row's position in that section.
  ///
  /// - Parameter row: the row's position among all rows.
  /// - Returns: the position of the section, and that of the row in it.
  /// - Complexity: O(log n)
  func section(holdingRow row: Int) -> (section: Int, row: Int) {
    var node = root
    var row = row
    var section = 0
    while true {
      var index = 0
      while index < node.width - 1, row >= node.rowCount(at: index) {
        row -= node.rowCount(at: index)
        section += node.isLeaf ? 1 : node.counts[index]
        index += 1
      }
      if node.isLeaf { return (section, row) }
      node = node.children[index]
    }
  }

  /// - Complexity: O(log n)
  subscript(position: Int) -> Element {
    var node = root
    var position = position
    while !node.isLeaf {
      let child = Self.child(of: node, holding: &position)
      node = node.children[child]
    }
    return node.elements[position]
  }

  /// Returns the child that holds a position, and changes `position` to the one within that child.
  static func child(of node: Node, holding position: inout Int) -> Int {
    var child = 0
    while child < node.counts.count - 1, position >= node.counts[child] {
      position -= node.counts[child]
      child += 1
    }
    return child
  }

  /// Returns the first position whose element meets `condition`.
  ///
  /// All later elements must meet it, too.
  ///
  /// - Complexity: O(log n) calls of `condition`.
  func partitioningIndex(where condition: (Element) throws -> Bool) rethrows -> Int {
    var node = root
    var position = 0
    while true {
      var low = 0
      // In an inner node this is the first child whose last element meets the condition, or else
      // the last child.
      var high = node.isLeaf ? node.elements.count : node.children.count - 1
      while low < high {
        let middle = (low + high) / 2
        let element = node.isLeaf ? node.elements[middle] : Self.last(of: node.children[middle])
        if try condition(element) { high = middle } else { low = middle + 1 }
      }
      if node.isLeaf { return position + low }
      for child in 0..<low { position += node.counts[child] }
      node = node.children[low]
    }
  }

  private static func last(of node: Node) -> Element {
    var node = node
    while let child = node.children.last { node = child }
    return node.elements[node.elements.count - 1]
  }

  /// Calls `body` with each element, in order.
  func forEach(_ body: (Element) throws -> Void) rethrows {
    try Self.forEach(in: root, body)
  }

  private static func forEach(in node: Node, _ body: (Element) throws -> Void) rethrows {
    for element in node.elements { try body(element) }
    for child in node.children { try forEach(in: child, body) }
  }

  /// The elements, in order.
  var array: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    forEach { elements.append($0) }
    return elements
  }
}

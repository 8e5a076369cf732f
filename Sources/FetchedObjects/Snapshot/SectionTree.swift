internal import EntityStore
internal import Locking

/// The sections of a result, in order: a list that can be copied in O(1) and changed in O(log n), the
/// copies sharing what is the same.
///
/// It is a B+tree that counts sections and the rows in them, so a section is found by its position,
/// by that of one of its rows, and by its key. Nodes that only one tree holds are changed in place;
/// others are copied on the way down. The rows of each section are a tree of their own.
struct SectionTree: Sendable {
  typealias Element = ResultSection

  final class Node: @unchecked Sendable {
    // @unchecked: a node is changed only while one tree alone holds it, but for its summary, which is
    // set atomically.
    @exclusivity(unchecked) var elements: ContiguousArray<Element> = []
    @exclusivity(unchecked) var children: ContiguousArray<Node> = []
    /// How many sections there are below each child.
    @exclusivity(unchecked) var counts: ContiguousArray<Int> = []
    /// How many elements there are in all.
    @exclusivity(unchecked) var count = 0
    /// How many rows there are below each child; a section knows its own.
    @exclusivity(unchecked) var rowCounts: ContiguousArray<Int> = []
    /// How many rows there are in all.
    @exclusivity(unchecked) var rowCount = 0
    /// What the sections below sum up to, once somebody has asked.
    let summary: OnceReference<ResultSummary>
    /// The check sum of the sections below, once somebody has asked.
    let checkSum: OnceReference<KeptFeedSum>

    init(keepsSummary: Bool) {
      summary = OnceReference(keepsObject: keepsSummary)
      checkSum = OnceReference(keepsObject: keepsSummary)
    }

    /// A leaf with one section.
    convenience init(only element: Element, keepsSummary: Bool) {
      self.init(keepsSummary: keepsSummary)
      elements = [element]
      count = 1
      rowCount = element.rows.count
    }

    var keepsSummary: Bool { summary.keepsObject }

    var isLeaf: Bool { children.isEmpty }
    var width: Int { isLeaf ? elements.count : children.count }

    /// How many rows there are below a child, or in a section of a leaf.
    func rowCount(at index: Int) -> Int {
      isLeaf ? elements[index].rows.count : rowCounts[index]
    }

    /// A node with the same contents, but without a summary.
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

    /// Counts anew what is below.
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

    /// Puts a section in the place of one of a leaf.
    func replace(_ index: Int, with element: Element) {
      rowCount += element.rows.count - elements[index].rows.count
      elements[index] = element
    }

    /// Counts a child anew.
    func tally(_ index: Int) {
      let child = children[index]
      count += child.count - counts[index]
      counts[index] = child.count
      rowCount += child.rowCount - rowCounts[index]
      rowCounts[index] = child.rowCount
    }
  }

  /// The most elements in a leaf, and children in an inner node.
  ///
  /// Elements are references: a copied node retains each, so narrower nodes than those of plain
  /// numbers are faster.
  static var widest: Int { 32 }
  static var narrowest: Int { 8 }
  /// How full a list is built.
  private static var fill: Int { 24 }

  var root: Node

  /// A tree of `elements`, whose nodes keep summaries or have none; built in O(n).
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

  /// As few parts as fit, all about as large, so that none is narrow but a lone one.
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

  /// Whether there is one section.
  var isOnlySection: Bool { root.isLeaf && root.count == 1 }

  /// How many rows there are in all sections.
  var rowCount: Int { root.rowCount }

  /// How many rows there are in the sections before a position.
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

  /// The section that holds a row, by the row's position among all, and the row's position in it.
  ///
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

  /// The child that holds a position, which becomes the position within it.
  static func child(of node: Node, holding position: inout Int) -> Int {
    var child = 0
    while child < node.counts.count - 1, position >= node.counts[child] {
      position -= node.counts[child]
      child += 1
    }
    return child
  }

  /// The first position whose element meets `condition`, which all later ones meet too.
  ///
  /// - Complexity: O(log n) calls of `condition`.
  func partitioningIndex(where condition: (Element) throws -> Bool) rethrows -> Int {
    var node = root
    var position = 0
    while true {
      var low = 0
      // Among children, the first whose last element meets the condition; the last child otherwise.
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

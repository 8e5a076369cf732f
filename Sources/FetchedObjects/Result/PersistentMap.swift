/// A dictionary that can be copied in O(1) and changed in O(log n), the copies sharing what is
/// the same.
///
/// It is a hash trie of 32 branches (the CHAMP layout: Steindorfer and Vinju, 2015). A node that
/// only one map holds is changed in place; others are copied on the way down.
struct PersistentMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  struct Entry {
    var hash: Int
    var key: Key
    var value: Value

    init(hash: Int, key: Key, value: Value) {
      self.hash = hash
      self.key = key
      self.value = value
    }
  }

  final class Node: @unchecked Sendable {
    // @unchecked: a node is changed only while one map alone holds it.
    var entryMap: UInt32 = 0
    var childMap: UInt32 = 0
    var entries: ContiguousArray<Entry> = []
    var children: ContiguousArray<Node> = []

    init() {}

    func copy() -> Node {
      let node = Node()
      node.entryMap = entryMap
      node.childMap = childMap
      node.entries = entries
      node.children = children
      return node
    }
  }

  var root = Node()
  /// The number of keys.
  private(set) var count = 0

  /// Below this depth hashes are used up, and a node is a plain list of entries.
  static var deepest: Int { 60 }

  init() {}

  static func bit(_ hash: Int, _ shift: Int) -> UInt32 {
    1 << UInt32((hash >> shift) & 31)
  }

  static func index(_ map: UInt32, _ bit: UInt32) -> Int {
    (map & (bit &- 1)).nonzeroBitCount
  }

  // MARK: Reading

  subscript(key: Key) -> Value? {
    let hash = key.hashValue
    var node = root
    var shift = 0
    while shift < Self.deepest {
      let bit = Self.bit(hash, shift)
      if node.entryMap & bit != 0 {
        let index = Self.index(node.entryMap, bit)
        return node.entries[index].key == key ? node.entries[index].value : nil
      }
      guard node.childMap & bit != 0 else { return nil }
      node = node.children[Self.index(node.childMap, bit)]
      shift += 5
    }
    return node.entries.first { $0.key == key }?.value
  }

  /// Calls `body` with every key and value, in no order.
  func forEach(_ body: (Key, Value) throws -> Void) rethrows {
    var nodes = [root]
    while let node = nodes.popLast() {
      for entry in node.entries { try body(entry.key, entry.value) }
      nodes.append(contentsOf: node.children)
    }
  }

  // MARK: Changing

  /// Sets the value of a key and gives the one before.
  @discardableResult mutating func set(_ value: Value, for key: Key) -> Value? {
    let entry = Entry(hash: key.hashValue, key: key, value: value)
    let old = Self.insert(entry, into: &root, shift: 0)
    if old == nil { _grow(by: 1) }
    return old
  }

  /// Removes a key and gives its value.
  @discardableResult mutating func remove(_ key: Key) -> Value? {
    // Looked up first, so that a missing key copies nothing.
    guard self[key] != nil else { return nil }
    _grow(by: -1)
    return Self.remove(key, hash: key.hashValue, from: &root, shift: 0)
  }

  mutating func _grow(by difference: Int) { count += difference }

  static func insert(_ entry: Entry, into node: inout Node, shift: Int) -> Value? {
    if !isKnownUniquelyReferenced(&node) { node = node.copy() }
    guard shift < deepest else {
      if let index = node.entries.firstIndex(where: { $0.key == entry.key }) {
        let old = node.entries[index].value
        node.entries[index] = entry
        return old
      }
      node.entries.append(entry)
      return nil
    }
    let bit = Self.bit(entry.hash, shift)
    if node.childMap & bit != 0 {
      return insert(entry, into: &node.children[index(node.childMap, bit)], shift: shift + 5)
    }
    let place = index(node.entryMap, bit)
    guard node.entryMap & bit != 0 else {
      node.entries.insert(entry, at: place)
      node.entryMap |= bit
      return nil
    }
    if node.entries[place].key == entry.key {
      let old = node.entries[place].value
      node.entries[place] = entry
      return old
    }
    // Two keys want one place: both go a level down.
    let other = node.entries.remove(at: place)
    node.entryMap &= ~bit
    var child = Node()
    _ = insert(other, into: &child, shift: shift + 5)
    _ = insert(entry, into: &child, shift: shift + 5)
    node.children.insert(child, at: index(node.childMap, bit))
    node.childMap |= bit
    return nil
  }

  static func remove(
    _ key: Key, hash: Int, from node: inout Node, shift: Int
  ) -> Value? {
    if !isKnownUniquelyReferenced(&node) { node = node.copy() }
    guard shift < deepest else {
      guard let index = node.entries.firstIndex(where: { $0.key == key }) else { return nil }
      return node.entries.remove(at: index).value
    }
    let bit = Self.bit(hash, shift)
    if node.entryMap & bit != 0 {
      let place = index(node.entryMap, bit)
      guard node.entries[place].key == key else { return nil }
      node.entryMap &= ~bit
      return node.entries.remove(at: place).value
    }
    guard node.childMap & bit != 0 else { return nil }
    let place = index(node.childMap, bit)
    let old = remove(key, hash: hash, from: &node.children[place], shift: shift + 5)
    let child = node.children[place]
    if child.children.isEmpty && child.entries.count <= 1 {
      // A lone entry comes back up, so that equal maps have equal tries.
      node.children.remove(at: place)
      node.childMap &= ~bit
      if let entry = child.entries.first {
        node.entries.insert(entry, at: index(node.entryMap, bit))
        node.entryMap |= bit
      }
    }
    return old
  }
}

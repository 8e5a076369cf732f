internal import Locking

/// What a node of a ``RankTree`` tells about itself.
///
/// It takes two words and 8 bytes, so that the children, which come after 16 bytes for each of them, are
/// aligned.
@usableFromInline struct RankNodeHeader: BitwiseCopyable {
  /// The words of what the entries below have been summed up to, in two ways; 0 if that is unknown.
  ///
  /// They come first, so that their address is the header's.
  var summaries = (0, 0)
  /// How many entries a leaf has, or children an inner node.
  var width: UInt16 = 0
  /// How many it has room for.
  let capacity: UInt16
  /// How many levels are below it.
  let height: UInt32
}

/// A node of a ``RankTree``: one block of memory, with a count of those who hold it.
///
/// The memory of a leaf is an array of entries. In an inner node three arrays follow each other: for
/// each child its last entry, how many entries are below it, and the child.
@usableFromInline final class UnsafeRankNode: ManagedBuffer<RankNodeHeader, RankEntry> {
  static func make(height: Int, capacity: Int) -> UnsafeRankNode {
    // A count and a child take as much as an entry, or less.
    let size = height == 0 ? capacity : capacity * 2
    let node = create(minimumCapacity: size) { _ in
      RankNodeHeader(capacity: UInt16(capacity), height: UInt32(height))
    }
    let made = unsafeDowncast(node, to: UnsafeRankNode.self)
    if height > 0 { made.fields.bindMemoryOfChildren() }
    return made
  }

  deinit {
    let fields = fields
    fields.clearSummaries()
    if !fields.isLeaf { fields.children.deinitialize(count: fields.width) }
  }

  /// Where the node's memory is, for as long as somebody holds the node.
  ///
  /// A local variable holds it until its last use only, which may be this one.
  @inline(__always) var fields: UnsafeRankFields {
    withUnsafeMutablePointers { UnsafeRankFields(header: $0, entries: $1) }
  }

  /// A node with the same contents but without a summary, and with room for `capacity`.
  func copy(capacity: Int) -> UnsafeRankNode {
    withExtendedLifetime(self) {
      let node = UnsafeRankNode.make(height: fields.height, capacity: capacity)
      node.fields.append(copying: fields)
      return node
    }
  }

  /// Makes the node in `slot` one that is about to change: a copy unless nobody else holds it, and without
  /// a summary.
  @inline(__always) static func makeUnique(_ slot: inout UnsafeRankNode) {
    if isKnownUniquelyReferenced(&slot) {
      slot.fields.clearSummaries()
    } else {
      slot = slot.copy(capacity: slot.fields.capacity)
    }
  }
}

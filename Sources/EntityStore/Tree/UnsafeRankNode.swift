internal import Locking

/// The header of a node of a ``RankTree``.
///
/// It takes two words and 8 bytes. The children come after 16 bytes for each of them, so they are
/// aligned.
@usableFromInline struct RankNodeHeader: BitwiseCopyable {
  /// The words of the two summaries of the entries below; 0 if a summary is unknown.
  ///
  /// They come first, so that their address is the header's.
  var summaries = (0, 0)
  /// The number of entries of a leaf, or of children of an inner node.
  var width: UInt16 = 0
  /// The number of entries or children that it has room for.
  let capacity: UInt16
  /// The number of levels below it.
  let height: UInt32
}

/// A node of a ``RankTree``: one block of memory with a reference count.
///
/// The memory of a leaf is an array of entries. In an inner node three arrays follow each other.
/// For each child they have its last entry, the number of entries below it, and the child.
@usableFromInline final class UnsafeRankNode: ManagedBuffer<RankNodeHeader, RankEntry> {
  static func make(height: Int, capacity: Int) -> UnsafeRankNode {
    // A count and a child take no more memory than an entry.
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

  /// The node's memory, which is valid while a reference to the node exists.
  ///
  /// A local variable holds the node only until its last use, which may be this one.
  @inline(__always) var fields: UnsafeRankFields {
    withUnsafeMutablePointers { UnsafeRankFields(header: $0, entries: $1) }
  }

  /// Returns a node with the same contents, with room for `capacity`, and without a summary.
  func copy(capacity: Int) -> UnsafeRankNode {
    withExtendedLifetime(self) {
      let node = UnsafeRankNode.make(height: fields.height, capacity: capacity)
      node.fields.append(copying: fields)
      return node
    }
  }

  /// Prepares the node in `slot` for a change.
  ///
  /// It is replaced by a copy if other references to it exist. Afterwards it has no summary.
  @inline(__always) static func makeUnique(_ slot: inout UnsafeRankNode) {
    if isKnownUniquelyReferenced(&slot) {
      slot.fields.clearSummaries()
    } else {
      slot = slot.copy(capacity: slot.fields.capacity)
    }
  }
}

/// The widths of the nodes of a ``RankTree``, and the limits of too narrow and too wide.
///
/// A leaf is copied without counting references. A copy of an inner node counts one reference for
/// each child. So leaves are wide, which makes few of them, and inner nodes are not.
struct RankNodeWidths: Equatable, Sendable {
  /// The number of entries that a leaf has room for.
  let leaf: Int
  /// The number of children that an inner node has room for.
  let inner: Int

  /// The widths that were fastest in measurements: 128 and 24.
  static var standard: RankNodeWidths { RankNodeWidths(leaf: 128, inner: 24) }

  init(leaf: Int, inner: Int) {
    precondition(leaf >= 4 && inner >= 4, "A node of a RankTree needs room for 4 or more")
    precondition(leaf <= 1024 && inner <= 1024, "A node of a RankTree has room for 1024 at most")
    self.leaf = leaf
    self.inner = inner
  }

  /// Returns the first capacity of a leaf that is the whole tree and has `count` entries.
  func room(for count: Int) -> Int {
    var room = 4
    while room < count { room *= 2 }
    return min(room, leaf)
  }

  /// Returns the least width of a node that isn't the root.
  static func narrowest(of capacity: Int) -> Int { max(2, capacity / 4) }

  /// Returns the greatest width that two neighbours may have together to become one node.
  static func joinable(of capacity: Int) -> Int { capacity * 3 / 4 }

  /// Returns the width of nodes built in bulk: nearly full, with room for some insertions.
  static func filled(of capacity: Int) -> Int { capacity * 7 / 8 }
}

/// How wide the nodes of a ``RankTree`` may be, and from when on they are too narrow or too wide.
///
/// A leaf is copied without counting references, an inner node with one for each child. So leaves
/// are wide, which makes few of them, and inner nodes are not.
struct RankNodeWidths: Equatable, Sendable {
  /// How many entries a leaf has room for.
  let leaf: Int
  /// How many children an inner node has room for.
  let inner: Int

  /// The widths that measured best: 128 and 24.
  static var standard: RankNodeWidths { RankNodeWidths(leaf: 128, inner: 24) }

  init(leaf: Int, inner: Int) {
    precondition(leaf >= 4 && inner >= 4, "A node of a RankTree needs room for 4 or more")
    precondition(leaf <= 1024 && inner <= 1024, "A node of a RankTree has room for 1024 at most")
    self.leaf = leaf
    self.inner = inner
  }

  /// What the only leaf of a tree has room for to begin with, if it has so many entries.
  func room(for count: Int) -> Int {
    var room = 4
    while room < count { room *= 2 }
    return min(room, leaf)
  }

  /// The least width of a node that isn't the root.
  static func narrowest(of capacity: Int) -> Int { max(2, capacity / 4) }

  /// The most that two neighbours may have together to become one.
  static func joinable(of capacity: Int) -> Int { capacity * 3 / 4 }

  /// The width of nodes built in bulk: nearly full, with room for some to come.
  static func filled(of capacity: Int) -> Int { capacity * 7 / 8 }
}

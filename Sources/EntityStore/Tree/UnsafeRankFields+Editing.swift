// The steps of all changes of a node. A node that is changed belongs to one tree.
extension UnsafeRankFields {
  /// Inserts an entry into a leaf that isn't full.
  @inline(__always) func insert(_ entry: RankEntry, at index: Int) {
    openGap(at: index, count: 1)
    entries[index] = entry
  }

  /// Inserts a child into an inner node that isn't full.
  func insert(_ child: UnsafeRankNode, at index: Int) {
    openGap(at: index, count: 1)
    (children + index).initialize(to: child)
    noteChange(ofChildAt: index)
  }

  /// Removes and releases a child.
  func removeChild(at index: Int) {
    (children + index).deinitialize(count: 1)
    closeGap(at: index, count: 1)
  }

  /// Updates the last entry and the count of a child that has changed.
  func noteChange(ofChildAt index: Int) {
    let child = child(at: index)
    entries[index] = child.last
    counts[index] = UInt32(child.countOfEntries)
  }

  /// Adds the contents of another node of this height at the end.
  ///
  /// Then both nodes hold the children.
  func append(copying other: UnsafeRankFields) {
    (entries + width).update(from: other.entries, count: other.width)
    if !isLeaf {
      (counts + width).update(from: other.counts, count: other.width)
      (children + width).initialize(from: other.children, count: other.width)
    }
    width += other.width
  }

  /// Moves the elements from `index` on to the right.
  ///
  /// The gap contains no children.
  @inline(__always) func openGap(at index: Int, count: Int) {
    move(width - index, from: self, at: index, to: index + count)
    width += count
  }

  /// Moves the elements after a gap to the left.
  ///
  /// The gap contains no children.
  @inline(__always) func closeGap(at index: Int, count: Int) {
    move(width - index - count, from: self, at: index + count, to: index)
    width -= count
  }

  /// Moves elements of a node of this height, perhaps this one, to a position without children.
  ///
  /// They leave a gap.
  @inline(__always) func move(
    _ count: Int, from other: UnsafeRankFields, at start: Int, to index: Int
  ) {
    (entries + index).update(from: other.entries + start, count: count)
    guard !isLeaf else { return }
    (counts + index).update(from: other.counts + start, count: count)
    (children + index).moveInitialize(from: other.children + start, count: count)
  }
}

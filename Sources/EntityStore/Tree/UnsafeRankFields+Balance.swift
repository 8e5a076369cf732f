// Splitting and joining, so that nodes are neither too wide nor too narrow.
extension UnsafeRankFields {
  /// Inserts an entry into a leaf.
  ///
  /// - Returns: the new right neighbour of the leaf if it was full.
  @inline(__always) func insertSplitting(_ entry: RankEntry, at index: Int) -> UnsafeRankNode? {
    guard isFull else {
      insert(entry, at: index)
      return nil
    }
    return split(inserting: index) { $0.insert(entry, at: $1) }
  }

  /// Updates an inner node after an insertion below a child, which has a new `sibling` if it was
  /// split.
  ///
  /// - Returns: the new right neighbour of the node if it was full.
  @inline(__always) func noteInsertion(
    belowChildAt index: Int, sibling: UnsafeRankNode?
  ) -> UnsafeRankNode? {
    guard let sibling else {
      counts[index] += 1
      entries[index] = child(at: index).last
      return nil
    }
    noteChange(ofChildAt: index)
    guard isFull else {
      insert(sibling, at: index + 1)
      return nil
    }
    return split(inserting: index + 1) { $0.insert(sibling, at: $1) }
  }

  /// Updates an inner node after a removal below a child, which may have become narrow.
  @inline(__always) func noteRemoval(belowChildAt index: Int) {
    counts[index] -= 1
    let child = child(at: index)
    if child.isNarrow { widenChild(at: index) } else { entries[index] = child.last }
  }

  /// Moves the second part of a full node to a new right neighbour, and inserts at `index`.
  ///
  /// A caller that inserts at one end will probably do so again. So in this case most elements stay
  /// together at the other end.
  private func split(
    inserting index: Int, _ insert: (UnsafeRankFields, Int) -> Void
  ) -> UnsafeRankNode {
    let narrowest = RankNodeWidths.narrowest(of: capacity)
    let middle =
      switch index {
      case 0: narrowest - 1
      case width: width - narrowest + 1
      default: width / 2
      }
    let sibling = UnsafeRankNode.make(height: height, capacity: capacity)
    let right = sibling.fields
    right.move(width - middle, from: self, at: middle, to: 0)
    right.width = width - middle
    width = middle
    if index <= middle { insert(self, index) } else { insert(right, index - middle) }
    return sibling
  }

  /// Joins a child that has become narrow with a neighbour, or makes the two about equally wide.
  private func widenChild(at index: Int) {
    let left = max(index - 1, 0)
    let width = child(at: left).width + child(at: left + 1).width
    UnsafeRankNode.makeUnique(&children[left])
    if width <= RankNodeWidths.joinable(of: child(at: left).capacity) {
      child(at: left).append(copying: child(at: left + 1))
      removeChild(at: left + 1)
    } else {
      UnsafeRankNode.makeUnique(&children[left + 1])
      child(at: left).balance(with: child(at: left + 1))
      noteChange(ofChildAt: left + 1)
    }
    noteChange(ofChildAt: left)
  }

  /// Makes the node and its right neighbour about equally wide.
  func balance(with right: UnsafeRankFields) {
    let middle = (width + right.width) / 2
    if width < middle {
      let count = middle - width
      move(count, from: right, at: 0, to: width)
      width = middle
      right.closeGap(at: 0, count: count)
    } else {
      let count = width - middle
      right.openGap(at: 0, count: count)
      right.move(count, from: self, at: middle, to: 0)
      width = middle
    }
  }
}

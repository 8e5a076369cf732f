// These methods remove and insert the elements of a list that changes. Few changes are made one by
// one, because shifting memory is cheap. More changes are made in one pass, so the cost is never
// quadratic.

/// The number of removals or insertions up to which they are made one by one.
@usableFromInline
let _fewChanges = 4

extension RangeReplaceableCollection where Self: MutableCollection & RandomAccessCollection {
  /// Removes the elements at ascending offsets.
  ///
  /// - Complexity: O(*n* + *k*), where *n* is the length of the list and *k* the length of
  ///   `offsets`.
  @inlinable
  mutating func _remove(at offsets: [Int]) {
    guard offsets.count > _fewChanges else {
      for offset in offsets.reversed() {
        remove(at: index(startIndex, offsetBy: offset))
      }
      return
    }
    var next = 0
    var offset = offsets[0]
    var read = index(startIndex, offsetBy: offset)
    var write = read
    while read != endIndex {
      if next < offsets.count, offsets[next] == offset {
        next += 1
      } else {
        self[write] = self[read]
        formIndex(after: &write)
      }
      formIndex(after: &read)
      offset += 1
    }
    removeSubrange(write..<endIndex)
  }

  /// Inserts elements so that each is at its offset afterwards.
  ///
  /// The offsets ascend.
  ///
  /// - Complexity: O(*n* + *k*), where *n* is the length of the list and *k* the length of
  ///   `offsets`.
  @inlinable
  mutating func _insert(_ elements: ArraySlice<Element>, at offsets: [Int]) {
    guard offsets.count > _fewChanges else {
      for (offset, element) in zip(offsets, elements) {
        insert(element, at: index(startIndex, offsetBy: offset))
      }
      return
    }
    let start = index(startIndex, offsetBy: offsets[0])
    var tail: [Element] = []
    tail.reserveCapacity(distance(from: start, to: endIndex) + offsets.count)
    var read = start
    for (offset, element) in zip(offsets, elements) {
      let end = index(read, offsetBy: offset - offsets[0] - tail.count)
      tail.append(contentsOf: self[read..<end])
      tail.append(element)
      read = end
    }
    tail.append(contentsOf: self[read...])
    replaceSubrange(start..<endIndex, with: tail)
  }
}

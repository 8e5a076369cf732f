// Positions that are removed from the old list or added to the new one. A move counts as both.

extension ListChanges {
  /// The old paths of deleted and moved rows, ascending.
  @usableFromInline
  package var _removedRows: [ListPath] {
    moves.isEmpty ? deletes : _merged(deletes, moves.map(\.old).sorted())
  }

  /// The new paths of inserted and moved rows, ascending.
  @usableFromInline
  package var _addedRows: [ListPath] {
    moves.isEmpty ? inserts : _merged(inserts, moves.map(\.new))
  }

  /// The old positions of deleted and moved sections, ascending.
  @usableFromInline
  package var _removedSections: [Int] {
    movedSections.isEmpty
      ? deletedSections : _merged(deletedSections, movedSections.map(\.old).sorted())
  }

  /// The new positions of inserted and moved sections, ascending.
  @usableFromInline
  package var _addedSections: [Int] {
    movedSections.isEmpty ? insertedSections : _merged(insertedSections, movedSections.map(\.new))
  }

  /// Returns the old position of each new section, or nil for an inserted section.
  ///
  /// The section changes must have been checked for this number of old sections.
  @usableFromInline
  func _sectionOrigins(oldCount: Int) -> [Int?] {
    let removed = _removedSections
    let added = _addedSections
    var origins: [Int?] = []
    origins.reserveCapacity(oldCount - removed.count + added.count)
    var nextRemoved = removed.makeIterator()
    var nextAdded = added.makeIterator()
    var gap = nextAdded.next()
    var hole = nextRemoved.next()
    for section in 0..<oldCount {
      if section == hole {
        hole = nextRemoved.next()
        continue
      }
      while gap == origins.count {
        origins.append(nil)
        gap = nextAdded.next()
      }
      origins.append(section)
    }
    while gap == origins.count {
      origins.append(nil)
      gap = nextAdded.next()
    }
    for move in movedSections {
      origins[move.new] = move.old
    }
    return origins
  }
}

/// Returns the elements of two sorted arrays as one sorted array.
func _merged<Value: Comparable>(_ first: [Value], _ second: [Value]) -> [Value] {
  if first.isEmpty { return second }
  if second.isEmpty { return first }
  var result: [Value] = []
  result.reserveCapacity(first.count + second.count)
  var next = 0
  for value in second {
    while next < first.count, first[next] < value {
      result.append(first[next])
      next += 1
    }
    result.append(value)
  }
  result.append(contentsOf: first[next...])
  return result
}

extension Array where Element: Comparable {
  /// Returns the number of elements of a sorted array that are less than `bound`.
  ///
  /// - Complexity: O(log *n*), where *n* is the length of the array.
  func _count(below bound: Element) -> Int { partitionPoint(count) { !(self[$0] < bound) } }
}

extension Array<ListPath> {
  /// Returns the number of paths of a sorted array that precede `path` in its section.
  func _rows(before path: ListPath) -> Int {
    _count(below: path) - _count(below: ListPath(section: path.section, row: 0))
  }
}

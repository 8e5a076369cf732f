internal import ListDiffing

extension ListChanges {
  /// Gives each change in the order in which a list applies them (D2), a move where it arrives.
  ///
  /// - Complexity: O(*k*), where *k* is the number of changes.
  func forEachInOrder(section: (SectionChange) -> Void, row: (RowChange) -> Void) {
    for change in updates { row(.update(from: change.old, to: change.new)) }
    for change in updatedSections { section(.update(from: change.old, to: change.new)) }
    for path in deletes.reversed() { row(.delete(from: path)) }
    for position in deletedSections.reversed() { section(.delete(from: position)) }
    merge(insertedSections, movedSections, by: \.new) {
      section(.insert(at: $0))
    } second: {
      section(.move(from: $0.old, to: $0.new))
    }
    merge(inserts, moves, by: \.new) {
      row(.insert(at: $0))
    } second: {
      row(.move(from: $0.old, to: $0.new))
    }
  }

  /// Gives the elements of two sorted lists in one order.
  private func merge<Position: Comparable, Other>(
    _ positions: [Position], _ others: [Other], by position: (Other) -> Position,
    first: (Position) -> Void, second: (Other) -> Void
  ) {
    var index = 0
    for other in others {
      while index < positions.count, positions[index] < position(other) {
        first(positions[index])
        index += 1
      }
      second(other)
    }
    for rest in positions[index...] { first(rest) }
  }
}

extension SectionChange {
  /// The position in the list that has the section: the one before for a delete, else the one after.
  var position: Int {
    switch self {
    case .delete(let position), .insert(let position), .update(_, let position),
      .move(_, let position):
      position
    }
  }
}

extension RowChange {
  /// The path in the list that has the row: the one before for a delete, else the one after.
  var path: ListPath {
    switch self {
    case .delete(let path), .insert(let path), .update(_, let path), .move(_, let path): path
    }
  }
}

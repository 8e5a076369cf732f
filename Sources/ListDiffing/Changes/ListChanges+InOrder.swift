extension ListChanges {
  /// The single changes, in the order in which a list applies them.
  ///
  ///     for change in event.changes.inOrder {
  ///       switch change {
  ///       case .section(let change): report(change)
  ///       case .row(let change): report(change)
  ///       }
  ///     }
  ///
  /// The order is:
  ///
  /// 1. updated rows, then updated sections
  /// 2. deleted rows, from the last to the first
  /// 3. deleted sections, from the last to the first
  /// 4. inserted and moved sections, from the first to the last
  /// 5. inserted and moved rows, from the first to the last
  ///
  /// All old positions refer to the list before, all new positions to the list after. The delegate
  /// of a fetched results controller gets them in the same way. A host that carries out one step at
  /// a time uses ``ListPresentation/Pass/steps``.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of changes.
  public var inOrder: [ListChange] {
    var all: [ListChange] = []
    all.reserveCapacity(count)
    for change in updates { all.append(.row(.update(from: change.old, to: change.new))) }
    for change in updatedSections {
      all.append(.section(.update(from: change.old, to: change.new)))
    }
    for path in deletes.reversed() { all.append(.row(.delete(from: path))) }
    for position in deletedSections.reversed() { all.append(.section(.delete(from: position))) }
    for change in added(insertedSections, movedSections) { all.append(.section(change)) }
    for change in added(inserts, moves) { all.append(.row(change)) }
    return all
  }

  /// Returns the insertions and moves by their new positions.
  private func added<Position: Comparable>(
    _ inserts: [Position], _ moves: [PositionChange<Position>]
  ) -> [ElementChange<Position>] {
    var all: [(new: Position, change: ElementChange<Position>)] = []
    all.reserveCapacity(inserts.count + moves.count)
    for position in inserts { all.append((new: position, change: .insert(at: position))) }
    for move in moves {
      all.append((new: move.new, change: .move(from: move.old, to: move.new)))
    }
    return all.sorted { $0.new < $1.new }.map(\.change)
  }
}

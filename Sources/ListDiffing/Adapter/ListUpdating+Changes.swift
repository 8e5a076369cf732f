extension ListUpdating {
  /// Shows changes that somebody else has found.
  ///
  ///     tableView.performBatchUpdates(changes, of: rows.map(\.count)) { self.rows = newRows }
  ///
  /// It takes one pass and a reload, also where the host's style is ``ListUpdateStyle/stages``, since there is
  /// no list in between. A host that isn't shown, or shows other counts, reloads instead.
  ///
  /// - Parameters:
  ///   - changes: The changes from what the host shows.
  ///   - rowCounts: The number of rows in each section of the list before; a flat list has one section.
  ///   - animated: Whether to show how the list changes.
  ///   - isMovedRowChanged: Whether a moved row has fresh content; if not told, all that move are reloaded.
  ///   - isMovedHeaderChanged: Whether a moved section has a fresh header, likewise. Most hosts reload the section
  ///     with all its rows then.
  ///   - updateData: Brings the data that the host reads up to date. It is called once, before this method
  ///     returns.
  ///   - completion: Is called once, when the change is no longer seen to happen, with whether it came to its end;
  ///     with false if the host drops it.
  /// - Precondition: The changes fit a list of that shape.
  public func performBatchUpdates(
    _ changes: ListChanges, of rowCounts: [Int], animated: Bool = true,
    isMovedRowChanged: (PositionChange<ListPath>) -> Bool = { _ in true },
    isMovedHeaderChanged: (PositionChange<Int>) -> Bool = { _ in true },
    updateData: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
  ) {
    changes._checkFits(rowCounts)
    let completions = ListUpdateCompletions(completion.map { [$0] } ?? [])
    defer { completions.finish() }
    guard isListShown, shownRowCounts ?? rowCounts == rowCounts else {
      updateData()
      reloadData()
      return
    }
    let shown = ListPresentation(
      of: changes, sectionCount: rowCounts.count,
      style: listUpdateStyle == .singlePass ? .singlePass : .passThenReload,
      isMovedRowChanged: isMovedRowChanged, isMovedHeaderChanged: isMovedHeaderChanged)
    if let pass = shown.passes.first {
      carryOut(
        pass, animated: animated, updateData: updateData, completion: completions.next())
    } else {
      updateData()
    }
    reloadWhatChanged(in: shown, animated: animated)
  }
}

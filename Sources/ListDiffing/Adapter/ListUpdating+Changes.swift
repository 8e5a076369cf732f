extension ListUpdating {
  /// Shows changes that were found elsewhere.
  ///
  ///     tableView.performBatchUpdates(changes, of: rows.map(\.count)) { self.rows = newRows }
  ///
  /// It takes one pass and a reload, even if the host's style is ``ListPresentation/Style/stages``,
  /// because there is no intermediate list. A host that isn't shown, or that shows other counts,
  /// reloads instead.
  ///
  /// - Parameters:
  ///   - changes: The changes from the list that the host shows.
  ///   - rowCounts: The number of rows in each section of the list before the changes. A flat list
  ///     has one section.
  ///   - animated: True to animate the changes.
  ///   - isMovedRowChanged: A closure that returns true if a moved row has new content. By default,
  ///     all moved rows are reloaded.
  ///   - isMovedHeaderChanged: A closure that returns true if a moved section has a new header. By
  ///     default, the headers of all moved sections are reloaded. Most hosts then reload the
  ///     section with all its rows.
  ///   - updateData: A closure that updates the data that the host reads. It is called once, before
  ///     this method returns.
  ///   - completion: A closure that is called once, when the change is no longer visible. It gets
  ///     true if the change finished, and false if the host released it without a call.
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

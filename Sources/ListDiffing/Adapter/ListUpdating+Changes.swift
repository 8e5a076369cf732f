extension ListUpdating {
  /// Shows changes that somebody else has found, such as those in a model's event.
  ///
  ///     token = model.didChange.subscribe(on: .mainActor) { [weak self] event in
  ///       guard let self else { return }
  ///       tableView.performBatchUpdates(event.changes, sectionCount: snapshot.sections.count) {
  ///         self.snapshot = event.snapshot
  ///       }
  ///     }
  ///
  /// It takes one pass and a reload, also where the host's style is ``ListUpdateStyle/stages``, since there is
  /// no list in between.
  ///
  /// - Parameters:
  ///   - changes: The changes from what the host shows.
  ///   - sectionCount: The number of sections that it shows; a flat list has one.
  ///   - animated: Whether to show how the list changes.
  ///   - isMovedRowChanged: Whether a moved row has fresh content; if not told, all that move are reloaded.
  ///   - isMovedHeaderChanged: Whether a moved section has a fresh header, likewise. Most hosts reload the section
  ///     with all its rows then.
  ///   - updateData: Brings the data that the host reads up to date. It is called once, before this method
  ///     returns.
  ///   - completion: Is called when the change is no longer seen to happen, with whether it came to its end.
  /// - Precondition: The changes are valid for what the host shows.
  public func performBatchUpdates(
    _ changes: ListChanges, sectionCount: Int = 1, animated: Bool = true,
    isMovedRowChanged: (PositionChange<ListPath>) -> Bool = { _ in true },
    isMovedHeaderChanged: (PositionChange<Int>) -> Bool = { _ in true },
    updateData: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
  ) {
    let shown = ListPresentation(
      of: changes, sectionCount: sectionCount,
      style: listUpdateStyle == .singlePass ? .singlePass : .passThenReload,
      isMovedRowChanged: isMovedRowChanged, isMovedHeaderChanged: isMovedHeaderChanged)
    if let pass = shown.passes.first {
      performBatchUpdates(pass, animated: animated, updateData: updateData) { completion?($0) }
    } else {
      updateData()
    }
    if !shown.reloadedRows.isEmpty || !shown.reloadedHeaders.isEmpty {
      reloadList(rows: shown.reloadedRows, headers: shown.reloadedHeaders, animated: animated)
    }
    if shown.passes.isEmpty { completion?(true) }
  }
}

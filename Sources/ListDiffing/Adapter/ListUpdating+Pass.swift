extension ListUpdating {
  /// It checks that the host has called `updateData` before it returned, and ignores further calls.
  func carryOut(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    var isUpdated = false
    performBatchUpdates(
      pass, animated: animated,
      updateData: {
        guard !isUpdated else { return }
        isUpdated = true
        updateData()
      }, completion: completion)
    _mustHold(
      isUpdated,
      "The host \(type(of: self)) has returned from performBatchUpdates without calling updateData; call it in the batch, before the rows are read"
    )
  }

  /// Reloads the rows and headers that a presentation leaves to reload, if there are any.
  func reloadWhatChanged(in presentation: ListPresentation, animated: Bool) {
    if presentation.reloadedRows.isEmpty && presentation.reloadedHeaders.isEmpty { return }
    reloadList(
      rows: presentation.reloadedRows, headers: presentation.reloadedHeaders, animated: animated)
  }
}

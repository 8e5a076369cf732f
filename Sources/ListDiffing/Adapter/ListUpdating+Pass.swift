extension ListUpdating {
  /// Carries out a pass and holds the host to its promise: the data change once, before it returns.
  func carryOut(
    _ pass: ListPass, animated: Bool, updateData: @escaping () -> Void,
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

  /// Reloads what a presentation leaves to reload, if that is anything.
  func reloadWhatChanged(in presentation: ListPresentation, animated: Bool) {
    if presentation.reloadedRows.isEmpty && presentation.reloadedHeaders.isEmpty { return }
    reloadList(
      rows: presentation.reloadedRows, headers: presentation.reloadedHeaders, animated: animated)
  }
}

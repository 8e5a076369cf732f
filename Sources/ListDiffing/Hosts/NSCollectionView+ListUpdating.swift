#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit

/// A collection view is the host of a list. It takes each pass in a separate batch.
///
/// The data source reads the list that the adapter keeps. New content is shown by reloading the
/// item, and a new header by reloading its section.
///
/// This has been type-checked and not yet been run on Apple systems.
extension NSCollectionView: ListUpdating {
  /// True if the view is in a window and has a data source.
  ///
  /// Otherwise it can only reload.
  public var isListShown: Bool { window != nil && dataSource != nil }

  /// The number of items in each section, or nil without a data source.
  public var shownRowCounts: [Int]? {
    // This makes the view count now if it hasn't yet. It happens before a batch, so the view counts
    // the old data.
    guard dataSource != nil else { return nil }
    return (0..<numberOfSections).map { numberOfItems(inSection: $0) }
  }

  /// Carries out one pass in one batch.
  ///
  /// If animated, it uses the animator.
  public func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    let view = animated ? animator() : self
    view.performBatchUpdates {
      updateData()
      self.carryOut(pass)
    } completionHandler: {
      completion($0)
    }
  }

  private func carryOut(_ pass: ListPresentation.Pass) {
    if !pass.deletedSections.isEmpty { deleteSections(IndexSet(pass.deletedSections)) }
    if !pass.insertedSections.isEmpty { insertSections(IndexSet(pass.insertedSections)) }
    for section in pass.movedSections { moveSection(section.old, toSection: section.new) }
    if !pass.deletes.isEmpty { deleteItems(at: Set(pass.deletes.map { IndexPath($0) })) }
    if !pass.inserts.isEmpty { insertItems(at: Set(pass.inserts.map { IndexPath($0) })) }
    for row in pass.moves { moveItem(at: IndexPath(row.old), to: IndexPath(row.new)) }
  }

  /// Reloads items, and the sections of headers.
  public func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {
    let sections = IndexSet(headers)
    // Reloading a section reloads its items as well.
    let rows = rows.filter { !sections.contains($0.section) }
    let view = animated ? animator() : self
    if !rows.isEmpty { view.reloadItems(at: Set(rows.map { IndexPath($0) })) }
    if !sections.isEmpty { view.reloadSections(sections) }
  }
}

#endif

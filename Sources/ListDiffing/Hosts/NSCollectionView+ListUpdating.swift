#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit

/// A collection view is the host of a list. It takes each pass in one batch of its own.
///
/// The data source reads the list that the adapter keeps. Fresh content is shown by reloading the item, and a
/// fresh header by reloading its section.
///
/// This has been type-checked and not yet been run on Apple systems.
extension NSCollectionView: ListUpdating {
  /// Whether the view is in a window and has a data source.
  ///
  /// Without both it can do no more than reload.
  public var isListShown: Bool { window != nil && dataSource != nil }

  /// The number of items in each section; nil without a data source.
  public var shownRowCounts: [Int]? {
    // Asking makes the view count now if it hasn't yet: before a batch, so it counts the old data.
    guard dataSource != nil else { return nil }
    return (0..<numberOfSections).map { numberOfItems(inSection: $0) }
  }

  /// Carries out one pass in one batch, through the animator if it is to be seen.
  public func performBatchUpdates(
    _ pass: ListPass, animated: Bool, updateData: @escaping () -> Void,
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

  private func carryOut(_ pass: ListPass) {
    if !pass.deletedSections.isEmpty { deleteSections(IndexSet(pass.deletedSections)) }
    if !pass.insertedSections.isEmpty { insertSections(IndexSet(pass.insertedSections)) }
    for section in pass.movedSections { moveSection(section.old, toSection: section.new) }
    if !pass.deletes.isEmpty { deleteItems(at: Set(pass.deletes.map { IndexPath($0) })) }
    if !pass.inserts.isEmpty { insertItems(at: Set(pass.inserts.map { IndexPath($0) })) }
    for row in pass.moves { moveItem(at: IndexPath(row.old), to: IndexPath(row.new)) }
  }

  /// Reloads items and the sections of headers.
  public func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {
    let sections = IndexSet(headers)
    // A section that is reloaded shows its items anew as well.
    let rows = rows.filter { !sections.contains($0.section) }
    let view = animated ? animator() : self
    if !rows.isEmpty { view.reloadItems(at: Set(rows.map { IndexPath($0) })) }
    if !sections.isEmpty { view.reloadSections(sections) }
  }
}

#endif

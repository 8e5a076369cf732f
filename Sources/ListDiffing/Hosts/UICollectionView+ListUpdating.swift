#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// A collection view is the host of a list. It takes each pass in a separate batch.
///
/// The data source reads the list that the adapter keeps. New content is shown by reconfiguring.
/// The view asks for the cell again and keeps it, so the row must still need the same kind of cell.
/// For a new header, the view reloads the section.
///
/// This has been type-checked and not yet been run on Apple systems.
extension UICollectionView: ListUpdating {
  /// True if the view is in a window and has a data source.
  ///
  /// Otherwise it can only reload.
  public var isListShown: Bool { window != nil && dataSource != nil }

  /// The number of items in each section, or nil without a data source.
  public var shownRowCounts: [Int]? {
    // UIKit counts lazily. If it hasn't counted before a batch begins, it counts in the batch, and
    // the result isn't always that of the old data (IGListKit S342566, openradar 15769). Reading
    // this property makes the view count now.
    guard dataSource != nil else { return nil }
    return (0..<numberOfSections).map { numberOfItems(inSection: $0) }
  }

  /// Carries out one pass in one batch, animated or not.
  public func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    animateIf(animated) {
      performBatchUpdates {
        updateData()
        self.carryOut(pass)
      } completion: {
        completion($0)
      }
    }
  }

  private func carryOut(_ pass: ListPresentation.Pass) {
    if !pass.deletedSections.isEmpty { deleteSections(IndexSet(pass.deletedSections)) }
    if !pass.insertedSections.isEmpty { insertSections(IndexSet(pass.insertedSections)) }
    for section in pass.movedSections { moveSection(section.old, toSection: section.new) }
    if !pass.deletes.isEmpty { deleteItems(at: pass.deletes.map { IndexPath($0) }) }
    if !pass.inserts.isEmpty { insertItems(at: pass.inserts.map { IndexPath($0) }) }
    for row in pass.moves { moveItem(at: IndexPath(row.old), to: IndexPath(row.new)) }
  }

  /// Reconfigures rows, and reloads the sections of headers.
  public func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {
    let sections = IndexSet(headers)
    // Reloading a section reloads its rows as well.
    let rows = rows.filter { !sections.contains($0.section) }
    animateIf(animated) {
      if !rows.isEmpty { reconfigureItems(at: rows.map { IndexPath($0) }) }
      if !sections.isEmpty { reloadSections(sections) }
    }
  }
}

extension UIView {
  func animateIf(_ animated: Bool, _ body: () -> Void) {
    if animated { body() } else { UIView.performWithoutAnimation(body) }
  }
}

#endif

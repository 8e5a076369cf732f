#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// A collection view is the host of a list. It takes each pass in one batch of its own.
///
/// The data source reads the list that the adapter keeps. Fresh content is shown by reconfiguring: the view asks
/// for the cell again and keeps it, so the row must still want the same kind of cell. For a fresh header it
/// reloads the section.
///
/// This has been type-checked and not yet been run on Apple systems.
extension UICollectionView: ListUpdating {
  /// Whether the view is in a window and has a data source.
  ///
  /// Without both it can do no more than reload.
  public var isListShown: Bool { window != nil && dataSource != nil }

  /// The number of items in each section; nil without a data source.
  public var shownRowCounts: [Int]? {
    // UIKit counts lazily. If it hasn't counted yet when a batch begins, it does so then, and what it finds is
    // not always the old data (IGListKit S342566, openradar 15769). Whoever asks here first makes it count now.
    guard dataSource != nil else { return nil }
    return (0..<numberOfSections).map { numberOfItems(inSection: $0) }
  }

  /// Carries out one pass in one batch; without animation if it isn't wanted.
  public func performBatchUpdates(
    _ pass: ListPass, animated: Bool, updateData: @escaping () -> Void,
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

  private func carryOut(_ pass: ListPass) {
    if !pass.deletedSections.isEmpty { deleteSections(IndexSet(pass.deletedSections)) }
    if !pass.insertedSections.isEmpty { insertSections(IndexSet(pass.insertedSections)) }
    for section in pass.movedSections { moveSection(section.old, toSection: section.new) }
    if !pass.deletes.isEmpty { deleteItems(at: pass.deletes.map { IndexPath($0) }) }
    if !pass.inserts.isEmpty { insertItems(at: pass.inserts.map { IndexPath($0) }) }
    for row in pass.moves { moveItem(at: IndexPath(row.old), to: IndexPath(row.new)) }
  }

  /// Reconfigures rows and reloads the sections of headers.
  public func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {
    let sections = IndexSet(headers)
    // A section that is reloaded shows its rows anew as well.
    let rows = rows.filter { !sections.contains($0.section) }
    animateIf(animated) {
      if !rows.isEmpty { reconfigureItems(at: rows.map { IndexPath($0) }) }
      if !sections.isEmpty { reloadSections(sections) }
    }
  }
}

extension UIView {
  /// Runs a body, with animations only if they are wanted.
  func animateIf(_ animated: Bool, _ body: () -> Void) {
    if animated { body() } else { UIView.performWithoutAnimation(body) }
  }
}

#endif

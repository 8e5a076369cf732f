#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// A table view is the host of a list. It takes each pass in one batch of its own.
///
/// The data source reads the list that the adapter keeps. Fresh content is shown by reconfiguring: the view asks
/// for the cell again and keeps it, so the row must still want the same kind of cell. For a fresh header it
/// reloads the section.
///
/// This has been type-checked and not yet been run on Apple systems.
extension UITableView: ListUpdating {
  /// Whether the view is in a window and has a data source.
  ///
  /// Without both it can do no more than reload.
  public var isListShown: Bool { window != nil && dataSource != nil }

  /// The number of rows in each section; nil without a data source.
  public var shownRowCounts: [Int]? {
    // Asking makes the view count now if it hasn't yet: before a batch, so it counts the old data.
    guard dataSource != nil else { return nil }
    return (0..<numberOfSections).map { numberOfRows(inSection: $0) }
  }

  /// Carries out one pass in one batch; without animation if it isn't wanted.
  public func performBatchUpdates(
    _ pass: ListPass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    animateIf(animated) {
      performBatchUpdates {
        updateData()
        self.carryOut(pass, with: animated ? .automatic : .none)
      } completion: {
        completion($0)
      }
    }
  }

  private func carryOut(_ pass: ListPass, with animation: RowAnimation) {
    if !pass.deletedSections.isEmpty {
      deleteSections(IndexSet(pass.deletedSections), with: animation)
    }
    if !pass.insertedSections.isEmpty {
      insertSections(IndexSet(pass.insertedSections), with: animation)
    }
    for section in pass.movedSections { moveSection(section.old, toSection: section.new) }
    if !pass.deletes.isEmpty { deleteRows(at: pass.deletes.map { IndexPath($0) }, with: animation) }
    if !pass.inserts.isEmpty { insertRows(at: pass.inserts.map { IndexPath($0) }, with: animation) }
    for row in pass.moves { moveRow(at: IndexPath(row.old), to: IndexPath(row.new)) }
  }

  /// Reconfigures rows and reloads the sections of headers.
  public func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {
    let sections = IndexSet(headers)
    // A section that is reloaded shows its rows anew as well.
    let rows = rows.filter { !sections.contains($0.section) }
    animateIf(animated) {
      if !rows.isEmpty { reconfigureRows(at: rows.map { IndexPath($0) }) }
      if !sections.isEmpty { reloadSections(sections, with: animated ? .automatic : .none) }
    }
  }
}

#endif

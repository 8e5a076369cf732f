#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// A table view is the host of a list. It takes each pass in a separate batch.
///
/// The data source reads the list that the adapter keeps. New content is shown by reconfiguring.
/// The view asks for the cell again and keeps it, so the row must still need the same kind of cell.
/// For a new header, the view reloads the section.
///
/// This has been type-checked and not yet been run on Apple systems.
extension UITableView: ListUpdating {
  /// True if the view is in a window and has a data source.
  ///
  /// Otherwise it can only reload.
  public var isListShown: Bool { window != nil && dataSource != nil }

  /// The number of rows in each section, or nil without a data source.
  public var shownRowCounts: [Int]? {
    // This makes the view count now if it hasn't yet. It happens before a batch, so the view counts
    // the old data.
    guard dataSource != nil else { return nil }
    return (0..<numberOfSections).map { numberOfRows(inSection: $0) }
  }

  /// Carries out one pass in one batch, animated or not.
  public func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
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

  private func carryOut(_ pass: ListPresentation.Pass, with animation: RowAnimation) {
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

  /// Reconfigures rows, and reloads the sections of headers.
  public func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {
    let sections = IndexSet(headers)
    // Reloading a section reloads its rows as well.
    let rows = rows.filter { !sections.contains($0.section) }
    animateIf(animated) {
      if !rows.isEmpty { reconfigureRows(at: rows.map { IndexPath($0) }) }
      if !sections.isEmpty { reloadSections(sections, with: animated ? .automatic : .none) }
    }
  }
}

#endif

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit

/// A table view is the host of a flat list. It takes a pass step by step, because each of its
/// changes counts positions after the changes before it.
///
/// The data source reads the list that the adapter keeps. A table view has no sections. A list with
/// more than one section needs an `NSCollectionView`. An outline view inherits this conformance,
/// but it can't be a host because it shows a tree.
///
/// This has been type-checked and not yet been run on Apple systems.
extension NSTableView: ListUpdating {
  /// True if the view is in a window and has a data source.
  ///
  /// Otherwise it can only reload.
  public var isListShown: Bool { window != nil && dataSource != nil }

  /// The number of rows of the only section, or nil without a data source.
  public var shownRowCounts: [Int]? { dataSource == nil ? nil : [numberOfRows] }

  /// Carries out one pass between `beginUpdates()` and `endUpdates()`.
  ///
  /// - Precondition: The pass is that of a flat list, and the view is not an `NSOutlineView`.
  public func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    _mustHold(
      pass.isFlat, "A table view has no sections; show this list in an NSCollectionView")
    _mustHold(
      !(self is NSOutlineView), "An outline view shows a tree; show this list in an NSTableView")
    group(animated: animated, completion: animated ? { completion(true) } : nil) {
      beginUpdates()
      updateData()
      carryOut(pass, with: animated ? .effectFade : [])
      endUpdates()
    }
    if !animated { completion(true) }
  }

  private func carryOut(_ pass: ListPresentation.Pass, with animation: AnimationOptions) {
    // The steps delete rows from the last to the first, so one index set deletes all of them at
    // once. The same holds for the rows that they insert.
    if !pass.deletes.isEmpty {
      removeRows(at: IndexSet(pass.deletes.map(\.row)), withAnimation: animation)
    }
    for case .moveRow(let old, let new) in pass.steps { moveRow(at: old.row, to: new.row) }
    if !pass.inserts.isEmpty {
      insertRows(at: IndexSet(pass.inserts.map(\.row)), withAnimation: animation)
    }
  }

  /// Reloads rows, and makes the view ask for their heights again.
  ///
  /// There are no headers.
  public func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {
    guard !rows.isEmpty else { return }
    let indexes = IndexSet(rows.map(\.row))
    reloadData(forRowIndexes: indexes, columnIndexes: IndexSet(integersIn: 0..<numberOfColumns))
    group(animated: animated, completion: nil) { noteHeightOfRows(withIndexesChanged: indexes) }
  }

  /// Moved rows and changed heights animate by default, so a duration of 0 turns that off.
  private func group(animated: Bool, completion: (() -> Void)?, _ body: () -> Void) {
    NSAnimationContext.beginGrouping()
    if !animated { NSAnimationContext.current.duration = 0 }
    // The handler has to be set before anything is animated.
    if let completion { NSAnimationContext.current.completionHandler = completion }
    body()
    NSAnimationContext.endGrouping()
  }
}

extension ListPresentation.Pass {
  /// True if the pass leaves sections unchanged, and changes rows only in the first section.
  fileprivate var isFlat: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty
      && deletes.allSatisfy { $0.section == 0 } && inserts.allSatisfy { $0.section == 0 }
      && moves.allSatisfy { $0.old.section == 0 && $0.new.section == 0 }
  }
}

#endif

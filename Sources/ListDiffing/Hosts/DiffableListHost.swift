#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// A host for a view that has one of Apple's diffable data sources.
///
///     let source = UICollectionViewDiffableDataSource<ListItem<String>, ListItem<Int>>(
///       collectionView: view
///     ) { [weak self] view, path, item in self?.cell(for: item.id, at: path) }
///     let host = DiffableListHost(source, of: view) { [weak self] in self?.identifiers ?? [] }
///
/// The data source compares identifiers to find the changes again. A pass determines when it does
/// so. Therefore a list may repeat identifiers: their copies are numbered. New content is shown,
/// too, although Apple's data source doesn't look at content. If identifiers don't repeat, the
/// visible changes are those of the pass.
///
/// Use the data source through this host only. The host holds the data source, and holds the view
/// weakly. Keep the host: neither the view nor an adapter holds it.
///
/// This has been type-checked and not yet been run on Apple systems.
@MainActor
public final class DiffableListHost<SectionID: Hashable & Sendable, RowID: Hashable & Sendable>:
  ListUpdating
{
  /// The snapshot of a data source: sections and rows with numbered copies.
  public typealias Snapshot = NSDiffableDataSourceSnapshot<ListItem<SectionID>, ListItem<RowID>>

  private let content: () -> [ListSection<SectionID, RowID>]
  private let shown: () -> Snapshot
  private let apply: (Snapshot, _ animated: Bool, _ completion: @escaping () -> Void) -> Void
  private let applyReloading: (Snapshot) -> Void
  private weak var view: UIView?

  /// Creates a host for the data source of a collection view.
  ///
  /// - Parameters:
  ///   - dataSource: The data source.
  ///   - view: The view of the data source.
  ///   - content: A closure that returns the identifiers of the sections and rows that are now in
  ///     the data that the host reads.
  public init(
    _ dataSource: UICollectionViewDiffableDataSource<ListItem<SectionID>, ListItem<RowID>>,
    of view: UICollectionView, content: @escaping () -> [ListSection<SectionID, RowID>]
  ) {
    self.view = view
    self.content = content
    shown = { dataSource.snapshot() }
    apply = { snapshot, animated, completion in
      dataSource.apply(snapshot, animatingDifferences: animated) { completion() }
    }
    applyReloading = { dataSource.applySnapshotUsingReloadData($0, completion: nil) }
  }

  /// Creates a host for the data source of a table view.
  ///
  /// - Parameters:
  ///   - dataSource: The data source.
  ///   - view: The view of the data source.
  ///   - content: A closure that returns the identifiers of the sections and rows that are now in
  ///     the data that the host reads.
  public init(
    _ dataSource: UITableViewDiffableDataSource<ListItem<SectionID>, ListItem<RowID>>,
    of view: UITableView, content: @escaping () -> [ListSection<SectionID, RowID>]
  ) {
    self.view = view
    self.content = content
    shown = { dataSource.snapshot() }
    apply = { snapshot, animated, completion in
      dataSource.apply(snapshot, animatingDifferences: animated) { completion() }
    }
    applyReloading = { dataSource.applySnapshotUsingReloadData($0, completion: nil) }
  }

  /// True if the view is in a window.
  public var isListShown: Bool { view?.window != nil }

  /// The number of rows in each section of the snapshot that was applied last.
  public var shownRowCounts: [Int]? {
    let shown = shown()
    return shown.sectionIdentifiers.map { shown.numberOfItems(inSection: $0) }
  }

  /// Applies a snapshot of the content after the pass.
  public func performBatchUpdates(
    _ pass: ListPresentation.Pass, animated: Bool, updateData: @escaping () -> Void,
    completion: @escaping (Bool) -> Void
  ) {
    updateData()
    let old = shown()
    var new = makeSnapshot()
    new.reconfigureItems(Self.redrawnItems(pass, from: old, to: new))
    new.reloadSections(Self.redrawnSections(pass, from: old, to: new))
    apply(new, animated) { completion(true) }
  }

  /// Reconfigures rows, and reloads the sections of headers.
  public func reloadList(rows: [ListPath], headers: [Int], animated: Bool) {
    var snapshot = shown()
    let sections = snapshot.sectionIdentifiers
    let reloaded = Set(headers)
    let paths = Dictionary(grouping: rows) { $0.section }
    for (section, paths) in paths where !reloaded.contains(section) {
      let items = snapshot.itemIdentifiers(inSection: sections[section])
      snapshot.reconfigureItems(paths.map { items[$0.row] })
    }
    if !headers.isEmpty { snapshot.reloadSections(headers.map { sections[$0] }) }
    apply(snapshot, animated) {}
  }

  /// Applies a snapshot of the content without comparing it to the one before.
  public func reloadData() {
    applyReloading(makeSnapshot())
  }

  private func makeSnapshot() -> Snapshot {
    let content = content()
    let sections = ListItem.numbering(content.map(\.header))
    // Items must be distinct across sections, too.
    var items = ListItem.numbering(content.flatMap(\.rows))[...]
    var snapshot = Snapshot()
    snapshot.appendSections(sections)
    for (section, rows) in zip(sections, content.lazy.map(\.rows)) {
      snapshot.appendItems(Array(items.prefix(rows.count)), toSection: section)
      items = items.dropFirst(rows.count)
    }
    return snapshot
  }

  /// Returns the items of both snapshots whose content the data source would keep although it has
  /// changed.
  ///
  /// A pass may delete and insert a row whose identifier stays. For the pass the row is new, but
  /// the data source sees the same identifier. Also, a numbered copy may now represent another row.
  private static func redrawnItems(
    _ pass: ListPresentation.Pass, from old: Snapshot, to new: Snapshot
  ) -> [ListItem<RowID>] {
    let items = (old: old.itemIdentifiers, new: new.itemIdentifiers)
    let repeated = repeatedIDs(items.old, items.new)
    var redrawn = Set(items.new.lazy.filter { repeated.contains($0.id) })
    let paths = Dictionary(grouping: pass.inserts) { $0.section }
    for (section, identifier) in new.sectionIdentifiers.enumerated() {
      guard let paths = paths[section] else { continue }
      let items = new.itemIdentifiers(inSection: identifier)
      redrawn.formUnion(paths.lazy.map { items[$0.row] })
    }
    for section in pass.insertedSections {
      redrawn.formUnion(new.itemIdentifiers(inSection: new.sectionIdentifiers[section]))
    }
    return redrawn.isEmpty ? [] : items.old.filter(redrawn.contains)
  }

  /// Returns the sections of both snapshots whose header the data source would keep although it has
  /// changed.
  private static func redrawnSections(
    _ pass: ListPresentation.Pass, from old: Snapshot, to new: Snapshot
  ) -> [ListItem<SectionID>] {
    let (before, after) = (old.sectionIdentifiers, new.sectionIdentifiers)
    let repeated = repeatedIDs(before, after)
    var redrawn = Set(after.lazy.filter { repeated.contains($0.id) })
    redrawn.formUnion(pass.insertedSections.lazy.map { after[$0] })
    return redrawn.isEmpty ? [] : before.filter(redrawn.contains)
  }

  private static func repeatedIDs<ID>(_ old: [ListItem<ID>], _ new: [ListItem<ID>]) -> Set<ID> {
    Set([old, new].joined().lazy.filter { $0.copy > 0 }.map(\.id))
  }
}

#endif

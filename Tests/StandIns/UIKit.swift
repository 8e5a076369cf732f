// Stands in for UIKit where there is none: the declarations that Sources/ListDiffing/Hosts uses, as Apple
// documents them, which record their calls.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Foundation

extension IndexPath {
  public init(item: Int, section: Int) { self = [section, item] }
  public init(row: Int, section: Int) { self = [section, row] }
  public var section: Int { self[0] }
  public var item: Int { self[1] }
  public var row: Int { self[1] }
}

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIView: UIResponder {
  open var window: UIWindow?

  open class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
    StandIn.record("still {")
    StandIn.isStill = true
    actionsWithoutAnimation()
    StandIn.isStill = false
    StandIn.record("}")
  }
}

@MainActor open class UIWindow: UIView {}

@MainActor open class UIScrollView: UIView {}

// MARK: - Collection view

@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  func numberOfSections(in collectionView: UICollectionView) -> Int
}

@MainActor open class UICollectionViewCell: UIView {}

@MainActor open class UICollectionView: UIScrollView {
  weak open var dataSource: (any UICollectionViewDataSource)?
  private var counts = Counts()

  private var dataCounts: [Int] {
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.collectionView(self, numberOfItemsInSection: $0)
    }
  }

  private var rows: [Int] {
    if counts.rows == nil { counts.rows = dataCounts }
    return counts.rows ?? []
  }

  open var numberOfSections: Int { rows.count }
  open func numberOfItems(inSection section: Int) -> Int { rows[section] }

  open func reloadData() {
    StandIn.record("reloadData")
    counts = Counts()
  }

  open func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    _ = rows
    StandIn.record("batch {")
    counts.isInBatch = true
    updates?()
    counts.end(with: dataCounts)
    StandIn.record("}")
    StandIn.run { completion?(true) }
  }

  open func insertSections(_ sections: IndexSet) {
    counts.insertedSections.formUnion(sections)
    StandIn.record("insertSections \(sections.text)")
  }

  open func deleteSections(_ sections: IndexSet) {
    counts.deletedSections.formUnion(sections)
    StandIn.record("deleteSections \(sections.text)")
  }

  open func reloadSections(_ sections: IndexSet) {
    precondition(!counts.isInBatch)
    StandIn.record("reloadSections \(sections.text)")
  }

  open func moveSection(_ section: Int, toSection newSection: Int) {
    counts.movedSections.append((section, newSection))
    StandIn.record("moveSection \(section) to \(newSection)")
  }

  open func insertItems(at indexPaths: [IndexPath]) {
    counts.inserts += indexPaths
    StandIn.record("insertItems \(indexPaths.text)")
  }

  open func deleteItems(at indexPaths: [IndexPath]) {
    counts.deletes += indexPaths
    StandIn.record("deleteItems \(indexPaths.text)")
  }

  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    counts.deletes.append(indexPath)
    counts.inserts.append(newIndexPath)
    StandIn.record("moveItem \(indexPath.text) to \(newIndexPath.text)")
  }

  open func reconfigureItems(at indexPaths: [IndexPath]) {
    precondition(!counts.isInBatch)
    StandIn.record("reconfigureItems \(indexPaths.text)")
  }
}

// MARK: - Table view

@MainActor public protocol UITableViewDataSource: NSObjectProtocol {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func numberOfSections(in tableView: UITableView) -> Int
}

@MainActor open class UITableViewCell: UIView {}

@MainActor open class UITableView: UIScrollView {
  public enum RowAnimation: Int, Sendable {
    case fade = 0
    case right, left, top, bottom, none, middle
    case automatic = 100
  }

  weak open var dataSource: (any UITableViewDataSource)?
  private var counts = Counts()

  private var dataCounts: [Int] {
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.tableView(self, numberOfRowsInSection: $0)
    }
  }

  private var rows: [Int] {
    if counts.rows == nil { counts.rows = dataCounts }
    return counts.rows ?? []
  }

  open var numberOfSections: Int { rows.count }
  open func numberOfRows(inSection section: Int) -> Int { rows[section] }

  open func reloadData() {
    StandIn.record("reloadData")
    counts = Counts()
  }

  open func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    _ = rows
    StandIn.record("batch {")
    counts.isInBatch = true
    updates?()
    counts.end(with: dataCounts)
    StandIn.record("}")
    StandIn.run { completion?(true) }
  }

  open func insertSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {
    counts.insertedSections.formUnion(sections)
    StandIn.record("insertSections \(sections.text) \(animation)")
  }

  open func deleteSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {
    counts.deletedSections.formUnion(sections)
    StandIn.record("deleteSections \(sections.text) \(animation)")
  }

  open func reloadSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {
    precondition(!counts.isInBatch)
    StandIn.record("reloadSections \(sections.text) \(animation)")
  }

  open func moveSection(_ section: Int, toSection newSection: Int) {
    counts.movedSections.append((section, newSection))
    StandIn.record("moveSection \(section) to \(newSection)")
  }

  open func insertRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {
    counts.inserts += indexPaths
    StandIn.record("insertRows \(indexPaths.text) \(animation)")
  }

  open func deleteRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {
    counts.deletes += indexPaths
    StandIn.record("deleteRows \(indexPaths.text) \(animation)")
  }

  open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    counts.deletes.append(indexPath)
    counts.inserts.append(newIndexPath)
    StandIn.record("moveRow \(indexPath.text) to \(newIndexPath.text)")
  }

  open func reconfigureRows(at indexPaths: [IndexPath]) {
    precondition(!counts.isInBatch)
    StandIn.record("reconfigureRows \(indexPaths.text)")
  }
}

// MARK: - Diffable data sources

public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  private var sections: [(id: SectionIdentifierType, items: [ItemIdentifierType])] = []
  var reconfigured: [ItemIdentifierType] = []
  var reloaded: [SectionIdentifierType] = []

  public init() {}

  public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.id) }
  public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }

  public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
    itemIdentifiers(inSection: identifier).count
  }

  public func itemIdentifiers(
    inSection identifier: SectionIdentifierType
  ) -> [ItemIdentifierType] {
    sections.first { $0.id == identifier }?.items ?? []
  }

  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    sections += identifiers.map { ($0, []) }
    precondition(Set(sectionIdentifiers).count == sections.count, "Identifiers are not unique")
  }

  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    let index = sections.firstIndex { $0.id == sectionIdentifier } ?? sections.count - 1
    sections[index].items += identifiers
    precondition(
      Set(itemIdentifiers).count == itemIdentifiers.count, "Identifiers are not unique")
  }

  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    precondition(Set(itemIdentifiers).isSuperset(of: identifiers), "Invalid identifier")
    reconfigured += identifiers
  }

  public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
    precondition(Set(sectionIdentifiers).isSuperset(of: identifiers), "Invalid identifier")
    reloaded += identifiers
  }

  /// The snapshot once it has been applied.
  var shown: Self {
    var shown = self
    shown.reconfigured = []
    shown.reloaded = []
    return shown
  }

  var text: String {
    let content = sections.map { "\($0.id): \($0.items)" }.joined(separator: ", ")
    return content + (reconfigured.isEmpty ? "" : ", reconfigure \(reconfigured)")
      + (reloaded.isEmpty ? "" : ", reload \(reloaded)")
  }
}

@preconcurrency @MainActor
open class UICollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject {
  public typealias CellProvider = (
    _ collectionView: UICollectionView, _ indexPath: IndexPath,
    _ itemIdentifier: ItemIdentifierType
  ) -> UICollectionViewCell?

  private var current = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()

  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {}

  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    current
  }

  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    StandIn.record("apply \(snapshot.text)\(animatingDifferences ? ", animated" : "")")
    current = snapshot.shown
    if animatingDifferences { StandIn.run { completion?() } } else { completion?() }
  }

  open func applySnapshotUsingReloadData(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    completion: (() -> Void)? = nil
  ) {
    StandIn.record("applySnapshotUsingReloadData \(snapshot.text)")
    current = snapshot.shown
    completion?()
  }
}

@preconcurrency @MainActor
open class UITableViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject {
  public typealias CellProvider = (
    _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
  ) -> UITableViewCell?

  private var current = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()

  public init(tableView: UITableView, cellProvider: @escaping CellProvider) {}

  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    current
  }

  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    StandIn.record("apply \(snapshot.text)\(animatingDifferences ? ", animated" : "")")
    current = snapshot.shown
    if animatingDifferences { StandIn.run { completion?() } } else { completion?() }
  }

  open func applySnapshotUsingReloadData(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    completion: (() -> Void)? = nil
  ) {
    StandIn.record("applySnapshotUsingReloadData \(snapshot.text)")
    current = snapshot.shown
    completion?()
  }
}

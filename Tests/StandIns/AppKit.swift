// Stands in for AppKit where there is none: the declarations that Sources/ListDiffing/Hosts uses, as Apple
// documents them, which record their calls.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Foundation

extension IndexPath {
  public init(item: Int, section: Int) { self = [section, item] }
  public var section: Int { self[0] }
  public var item: Int { self[1] }
}

// Not bound to the main actor, as in AppKit.
open class NSAnimationContext: NSObject {
  nonisolated(unsafe) private static var stack: [NSAnimationContext] = []

  open class var current: NSAnimationContext { stack.last ?? NSAnimationContext() }

  open class func beginGrouping() {
    stack.append(NSAnimationContext())
  }

  open class func endGrouping() {
    guard let context = stack.popLast() else { preconditionFailure("No grouping") }
    nonisolated(unsafe) let handler = context.completionHandler
    guard let completion = handler else { return }
    MainActor.assumeIsolated { StandIn.run(completion) }
  }

  open var duration: TimeInterval = 0.25
  open var completionHandler: (() -> Void)?
}

@MainActor public protocol NSAnimatablePropertyContainer {
  func animator() -> Self
}

@MainActor open class NSResponder: NSObject {}

@MainActor open class NSWindow: NSResponder {}

@MainActor open class NSView: NSResponder, NSAnimatablePropertyContainer {
  open var window: NSWindow?

  public func animator() -> Self {
    StandIn.record("animator")
    return self
  }
}

@MainActor open class NSControl: NSView {}

// MARK: - Collection view

@MainActor public protocol NSCollectionViewDataSource: NSObjectProtocol {
  func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int)
    -> Int
  func numberOfSections(in collectionView: NSCollectionView) -> Int
}

@MainActor open class NSCollectionView: NSView {
  weak open var dataSource: (any NSCollectionViewDataSource)?
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
    _ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil
  ) {
    _ = rows
    StandIn.record("batch {")
    counts.isInBatch = true
    updates?()
    counts.end(with: dataCounts)
    StandIn.record("}")
    StandIn.run { completionHandler?(true) }
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

  open func insertItems(at indexPaths: Set<IndexPath>) {
    counts.inserts += indexPaths
    StandIn.record("insertItems \(indexPaths.text)")
  }

  open func deleteItems(at indexPaths: Set<IndexPath>) {
    counts.deletes += indexPaths
    StandIn.record("deleteItems \(indexPaths.text)")
  }

  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    counts.deletes.append(indexPath)
    counts.inserts.append(newIndexPath)
    StandIn.record("moveItem \(indexPath.text) to \(newIndexPath.text)")
  }

  open func reloadItems(at indexPaths: Set<IndexPath>) {
    precondition(!counts.isInBatch)
    StandIn.record("reloadItems \(indexPaths.text)")
  }
}

// MARK: - Table view

@MainActor public protocol NSTableViewDataSource: NSObjectProtocol {
  func numberOfRows(in tableView: NSTableView) -> Int
}

@MainActor open class NSTableView: NSControl {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let effectFade = AnimationOptions(rawValue: 1)
  }

  weak open var dataSource: (any NSTableViewDataSource)?
  private var count: Int?

  open var numberOfRows: Int {
    if count == nil { count = dataSource?.numberOfRows(in: self) }
    return count ?? 0
  }

  open var numberOfColumns: Int { 2 }

  open func reloadData() {
    StandIn.record("reloadData")
    count = nil
  }

  open func beginUpdates() {
    _ = numberOfRows
    StandIn.record("begin, \(NSAnimationContext.current.duration) s {")
  }

  open func endUpdates() {
    precondition(numberOfRows == dataSource?.numberOfRows(in: self), "Invalid update")
    StandIn.record("}")
  }

  open func insertRows(
    at indexes: IndexSet, withAnimation animationOptions: NSTableView.AnimationOptions = []
  ) {
    count = numberOfRows + indexes.count
    precondition(indexes.allSatisfy { 0..<numberOfRows ~= $0 })
    StandIn.record("insertRows \(indexes.text)\(animationOptions.isEmpty ? "" : " fade")")
  }

  open func removeRows(
    at indexes: IndexSet, withAnimation animationOptions: NSTableView.AnimationOptions = []
  ) {
    precondition(indexes.allSatisfy { 0..<numberOfRows ~= $0 })
    count = numberOfRows - indexes.count
    StandIn.record("removeRows \(indexes.text)\(animationOptions.isEmpty ? "" : " fade")")
  }

  open func moveRow(at oldIndex: Int, to newIndex: Int) {
    precondition(0..<numberOfRows ~= oldIndex && 0..<numberOfRows ~= newIndex)
    StandIn.record("moveRow \(oldIndex) to \(newIndex)")
  }

  open func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {
    StandIn.record("reloadData \(rowIndexes.text) columns \(columnIndexes.text)")
  }

  open func noteHeightOfRows(withIndexesChanged indexSet: IndexSet) {
    StandIn.record("heights \(indexSet.text), \(NSAnimationContext.current.duration) s")
  }
}

@MainActor open class NSOutlineView: NSTableView {}

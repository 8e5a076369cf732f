public import ListDiffing

/// The changes of one commit to a list: a transaction for each changed object.
///
///     var batch = CacheTransactionBatch<String>()
///     batch.add(
///       CacheTransaction(
///         object: "Golf", objectType: "Car", change: .insert(at: ListPath(section: 0, row: 0))))
///     var rows = ["Polo"]
///     batch.apply(to: &rows)
///     rows  // ["Golf", "Polo"]
///
/// The transactions of each kind are in the order in which they were added. Adding the same change
/// twice has no further effect. A batch is applied in the order of ``/ListDiffing/ListChanges``,
/// not in the order of the arrays here.
public struct CacheTransactionBatch<Output: Sendable>: Sendable {
  /// The inserted objects.
  public var insertTransactions: [CacheTransaction<Output>] { inserts.transactions }

  /// The objects that stayed and changed.
  public var updateTransactions: [CacheTransaction<Output>] { updates.transactions }

  /// The deleted objects, with their last values.
  public var deleteTransactions: [CacheTransaction<Output>] { deletes.transactions }

  /// The moved objects, with their new values.
  public var moveTransactions: [CacheTransaction<Output>] { moves.transactions }

  /// The changes of sections.
  ///
  /// They contain no rows.
  public let sectionChanges: ListChanges

  /// The tag of the request that the batch belongs to, unchanged.
  public let filterValue: String?

  private(set) var inserts = CacheTransactionList<Output>()
  private(set) var updates = CacheTransactionList<Output>()
  private(set) var deletes = CacheTransactionList<Output>()
  private(set) var moves = CacheTransactionList<Output>()

  /// The transactions of all kinds.
  var transactions: some Sequence<CacheTransaction<Output>> {
    [insertTransactions, updateTransactions, deleteTransactions, moveTransactions].joined()
  }

  /// Creates a batch without transactions.
  ///
  /// - Parameters:
  ///   - sectionChanges: The changes of sections. Changes of rows are ignored.
  ///   - filterValue: The tag of the request that the batch belongs to.
  public init(sectionChanges: ListChanges = ListChanges(), filterValue: String? = nil) {
    self.sectionChanges = sectionChanges._sectionsOnly
    self.filterValue = filterValue
  }

  /// Adds a transaction to those of its kind, unless the batch already has its change.
  ///
  /// - Complexity: O(1) amortized. Transactions in ascending order aren't hashed.
  public mutating func add(_ transaction: CacheTransaction<Output>) {
    switch transaction.change {
    case .insert: inserts.append(transaction)
    case .update: updates.append(transaction)
    case .delete: deletes.append(transaction)
    case .move: moves.append(transaction)
    }
  }

  /// True if the batch has no transaction and no change of sections.
  public var isEmpty: Bool { count == 0 && sectionChanges.isEmpty }

  /// The number of transactions.
  public var count: Int {
    insertTransactions.count + updateTransactions.count + deleteTransactions.count
      + moveTransactions.count
  }

  /// The changes of sections and rows, without the objects.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of transactions.
  public var changes: ListChanges {
    ListChanges(
      deletedSections: sectionChanges.deletedSections,
      insertedSections: sectionChanges.insertedSections,
      movedSections: sectionChanges.movedSections, updatedSections: sectionChanges.updatedSections,
      deletes: deletes.transactions.compactMap(\.oldIndexPath),
      inserts: inserts.transactions.compactMap(\.updatedIndexPath),
      moves: moves.transactions.compactMap(\.pathChange),
      updates: updates.transactions.compactMap(\.pathChange))
  }
}

extension CacheTransaction {
  /// Both paths of a row that isn't inserted or deleted.
  fileprivate var pathChange: PositionChange<ListPath>? {
    guard let old = oldIndexPath, let new = updatedIndexPath else { return nil }
    return PositionChange(old: old, new: new)
  }
}

extension ListChanges {
  fileprivate var _sectionsOnly: ListChanges {
    ListChanges(
      deletedSections: deletedSections, insertedSections: insertedSections,
      movedSections: movedSections, updatedSections: updatedSections)
  }
}

extension CacheTransactionBatch: Equatable where Output: Equatable {}
extension CacheTransactionBatch: Hashable where Output: Hashable {}

extension CacheTransactionBatch: CustomStringConvertible {
  /// The changes as a text, such as "delete 0.1, insert 0.3", or "no changes".
  public var description: String { "\(changes)" }
}

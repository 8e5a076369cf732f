public import ListDiffing

/// All that one commit did to a list: a transaction for each object concerned.
///
///     var batch = CacheTransactionBatch<String>()
///     batch.add(
///       CacheTransaction(
///         object: "Golf", objectType: "Car", change: .insert(at: ListPath(section: 0, row: 0))))
///     var rows = ["Polo"]
///     batch.apply(to: &rows)
///     rows  // ["Golf", "Polo"]
///
/// Each kind is in the order in which its transactions were added. To add the same change twice
/// is to add it once. The order in which a batch is applied is that of ``/ListDiffing/ListChanges``, not that
/// of the arrays here.
public struct CacheTransactionBatch<Output: Sendable>: Sendable {
  /// The objects that came.
  public var insertTransactions: [CacheTransaction<Output>] { inserts.transactions }

  /// The objects that stayed and changed.
  public var updateTransactions: [CacheTransaction<Output>] { updates.transactions }

  /// The objects that went, with their last values.
  public var deleteTransactions: [CacheTransaction<Output>] { deletes.transactions }

  /// The objects that changed place, with their new values.
  public var moveTransactions: [CacheTransaction<Output>] { moves.transactions }

  /// The changes of sections; there are no rows in it.
  public let sectionChanges: ListChanges

  /// The tag of the request that this answers, given back as it was.
  public let filterValue: String?

  private(set) var inserts = CacheTransactionList<Output>()
  private(set) var updates = CacheTransactionList<Output>()
  private(set) var deletes = CacheTransactionList<Output>()
  private(set) var moves = CacheTransactionList<Output>()

  /// Creates a batch without transactions.
  ///
  /// - Parameters:
  ///   - sectionChanges: Changes of sections; rows in it are left out.
  ///   - filterValue: The tag of the request that this answers.
  public init(sectionChanges: ListChanges = ListChanges(), filterValue: String? = nil) {
    self.sectionChanges = sectionChanges._sectionsOnly
    self.filterValue = filterValue
  }

  /// Adds a transaction to those of its kind, unless its change is there already.
  ///
  /// - Complexity: O(1) amortized. Transactions that come in ascending order are not even hashed.
  public mutating func add(_ transaction: CacheTransaction<Output>) {
    switch transaction.change {
    case .insert: inserts.append(transaction)
    case .update: updates.append(transaction)
    case .delete: deletes.append(transaction)
    case .move: moves.append(transaction)
    }
  }

  /// Whether there is neither a transaction nor a change of sections.
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
  /// Both paths of a row that stays.
  fileprivate var pathChange: PositionChange<ListPath>? {
    guard let old = oldIndexPath, let new = updatedIndexPath else { return nil }
    return PositionChange(old: old, new: new)
  }
}

extension ListChanges {
  /// The changes of sections alone.
  fileprivate var _sectionsOnly: ListChanges {
    ListChanges(
      deletedSections: deletedSections, insertedSections: insertedSections,
      movedSections: movedSections, updatedSections: updatedSections)
  }
}

extension CacheTransactionBatch: Equatable where Output: Equatable {}
extension CacheTransactionBatch: Hashable where Output: Hashable {}

extension CacheTransactionBatch: CustomStringConvertible {
  /// The changes in words, as in "delete 0.1, insert 0.3", or "no changes".
  public var description: String { "\(changes)" }
}

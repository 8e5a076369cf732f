internal import ListDiffing

/// The transactions of one kind, in the order in which they were added, without repeated changes.
struct CacheTransactionList<Output: Sendable>: Sendable {
  private(set) var transactions: [CacheTransaction<Output>] = []

  /// The changes so far, or nil if all paths were added in ascending order.
  ///
  /// Then a later path can't repeat.
  private var seen: Set<RowChange>?

  /// Adds a transaction unless its change exists.
  mutating func append(_ transaction: CacheTransaction<Output>) {
    let change = transaction.change
    if seen == nil, let last = transactions.last?.change, !(Self.key(last) < Self.key(change)) {
      seen = Set(transactions.lazy.map(\.change))
    }
    if seen?.insert(change).inserted ?? true {
      transactions.append(transaction)
    }
  }

  /// Returns the path by which transactions are sorted: the old one of an update or delete,
  /// otherwise the new one.
  private static func key(_ change: RowChange) -> ListPath {
    switch change {
    case .insert(let path), .delete(let path), .update(let path, _), .move(_, let path): path
    }
  }

  /// The transactions by ascending path: the old path of an update or delete, otherwise the new
  /// path.
  var sorted: [CacheTransaction<Output>] {
    seen == nil
      ? transactions : transactions.sorted { Self.key($0.change) < Self.key($1.change) }
  }
}

extension CacheTransactionList: Equatable where Output: Equatable {
  static func == (left: Self, right: Self) -> Bool { left.transactions == right.transactions }
}

extension CacheTransactionList: Hashable where Output: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(transactions) }
}

internal import Locking

/// The hashes of a result's rows by their slots, as of the version whose check sum was asked for
/// last.
///
/// A node of a tree sums up to 128 rows again when one of them changes. Nearly all of them have the
/// hash that they had before. The memo follows from version to version by the rows that differ, so
/// commits do nothing for it. Feeds keep it alive.
final class FeedHashMemo: Sendable {
  fileprivate struct State: Sendable {
    var table: ResultTable?
    var hashes: [UInt64] = []
  }

  private let state = Locked(State())

  /// Calls `body` with a function that returns the hash of the row in a slot of a table.
  ///
  /// - Complexity: O(*d* log *n*) for *d* rows that differ from the last version, and O(*n*) for
  ///   the first one.
  func withHashes<Result>(
    of table: ResultTable, in plan: ResultPlan, _ body: ((Int) -> UInt64) -> Result
  ) -> Result {
    ReleasePool.open {
      state.withLock { state in
        state.follow(table, plan)
        return body { state.hashes[$0] }
      }
    }
  }
}

extension FeedHashMemo.State {
  fileprivate mutating func follow(_ table: ResultTable, _ plan: ResultPlan) {
    func hash(_ slot: Int) {
      guard let row = table[slot] else { return }
      if slot >= hashes.count {
        hashes += repeatElement(0, count: max(slot + 1 - hashes.count, hashes.count / 2))
      }
      hashes[slot] = plan.feedHash(of: row)
    }
    let last = self.table ?? ResultTable(plan, [])
    table.forEachDifference(from: last, hash)
    // Its rows are released after the lock is.
    ReleasePool.add(last)
    self.table = table
  }
}

internal import EntityStore
internal import Locking

extension ResultSnapshot {
  /// The check sum of all sections and rows; each node keeps its part.
  ///
  /// - Complexity: O(*k* log *n*) after *k* changes; O(*n*) the first time.
  /// - Precondition: the snapshot keeps check sums.
  fileprivate func checkSum(_ hash: (Int) -> UInt64) -> FeedSum {
    sections.feedSum { section in
      var sum = FeedSum(of: section.key.feedHash)
      sum.append(checkSum(of: section.rows, hash))
      return sum
    }
  }

  private func checkSum(of rows: RankTree, _ hash: (Int) -> UInt64) -> FeedSum {
    let kept = rows.summary(.second) { entries in
      plan.summarized.add(1)
      var sum = FeedSum()
      for entry in entries { sum.append(FeedSum(of: hash(Int(entry.slot)))) }
      return KeptFeedSum(sum)
    } inner: { parts in
      plan.summarized.add(1)
      var sum = FeedSum()
      for part in parts { sum.append(part.sum) }
      return KeptFeedSum(sum)
    }
    return kept.sum
  }
}

extension ResultView {
  /// Returns the check sum of the shown sections and rows.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of changes since the last call; O(*w*)
  ///   for the *w* rows of a window, and O(*n*) for the first two calls.
  func feedSum(_ memo: FeedHashMemo) -> FeedSum {
    // From now on, each snapshot keeps the parts of its check sum.
    plan.isFed.store(1)
    if window == nil && base.keepsCheckSums {
      return memo.withHashes(of: base.table, in: plan) { base.checkSum($0) }
    }
    var sum = FeedSum()
    for section in 0..<sectionCount {
      sum.append(FeedSum(of: key(ofSection: section).feedHash))
      tree(ofSection: section).forEach(in: rows(ofSection: section)) { entry in
        sum.append(FeedSum(of: plan.feedHash(of: base.row(entry))))
      }
    }
    return sum
  }
}

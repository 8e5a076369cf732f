internal import EntityStore
internal import Locking

/// The check sum of a stretch of a list: of the hashes of its sections and rows, each section before its
/// rows.
///
/// It is a polynomial modulo 2^64: `sum = sum * multiplier + hash` for each, beginning with 0. The sums
/// of two stretches give that of both, so a tree can keep one in each node.
struct FeedSum: Sendable, Hashable {
  /// Odd, so that nothing is lost, and of the form 8 *k* + 5, so that its powers repeat as late as can be;
  /// it is Knuth's for the MMIX (The Art of Computer Programming, volume 2, 3.3.4).
  static let multiplier: UInt64 = 6_364_136_223_846_793_005

  private(set) var value: UInt64 = 0
  /// The multiplier to the power of the number of hashes.
  private(set) var power: UInt64 = 1

  /// The sum of nothing.
  init() {}

  /// The sum of one row or section.
  init(of hash: UInt64) {
    value = hash
    power = Self.multiplier
  }

  /// Adds what comes after it.
  mutating func append(_ next: FeedSum) {
    value = value &* next.power &+ next.value
    power = power &* next.power
  }
}

/// The check sum of what is below a node, which keeps it.
final class KeptFeedSum: Sendable {
  let sum: FeedSum

  init(_ sum: FeedSum) { self.sum = sum }
}

extension ResultSnapshot {
  /// The check sum of all sections and rows, of which the nodes keep their parts.
  ///
  /// - Complexity: O(*k* log *n*) after *k* changes; O(*n*) the first time.
  /// - Precondition: the snapshot keeps check sums.
  fileprivate var checkSum: FeedSum {
    sections.checkSum { section in
      var sum = FeedSum(of: section.key.feedHash)
      sum.append(checkSum(of: section.rows))
      return sum
    }
  }

  private func checkSum(of rows: RankTree) -> FeedSum {
    let kept = rows.summary(.second) { entries in
      plan.summarized.add(1)
      var sum = FeedSum()
      for entry in entries { sum.append(FeedSum(of: plan.feedHash(of: row(entry)))) }
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
  /// The check sum of what is shown.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of changes since it was asked before; O(*w*) for the
  ///   *w* rows of a window, and O(*n*) for the first two times.
  func feedSum() -> FeedSum {
    // From now on each snapshot keeps its parts.
    plan.isFed.store(1)
    if window == nil && base.keepsCheckSums { return base.checkSum }
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

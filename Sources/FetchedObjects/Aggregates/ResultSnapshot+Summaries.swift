internal import EntityStore
internal import Locking

extension ResultSnapshot {
  /// What all rows sum up to.
  ///
  /// - Complexity: O(*m*), where *m* is the number of nodes that nobody has asked in this or an older
  ///   snapshot that shares them: O(*k* log *n*) after *k* changes.
  var summary: ResultSummary {
    sections.summary {
      summary(of: $0.rows)
    } combine: {
      combined($0)
    }
  }

  /// What the rows of a section sum up to.
  func summary(of rows: RankTree) -> ResultSummary {
    rows.summary {
      plan.summarized.add(1)
      return plan.summary(of: $0.lazy.map(row))
    } inner: {
      combined($0)
    }
  }

  private func combined(_ parts: [ResultSummary]) -> ResultSummary {
    plan.summarized.add(1)
    return plan.summary(of: parts)
  }

  #if INTERNAL_CHECKS
  /// Checks that each summary that a node keeps, perhaps for older snapshots too, is that of the rows of
  /// this one.
  func checkSummaries() {
    guard plan.keepsSummaries else { return }
    sections.forEach { section in
      let isWrong = section.rows.keepsWrongSummary(
        leaf: { plan.summary(of: $0.lazy.map(row)) }, inner: { plan.summary(of: $0) },
        areEqual: ==)
      precondition(!isWrong, "A node of a section's tree keeps the summary of other rows")
    }
    sections.checkSummaries { section in
      var rows: [ResultRow] = []
      section.rows.forEach { rows.append(row($0)) }
      return plan.summary(of: rows)
    } combine: {
      plan.summary(of: $0)
    }
  }
  #else
  /// Nothing, unless the trait `InternalChecks` is on.
  @inline(__always) func checkSummaries() {}
  #endif
}

extension ResultView {
  /// Whether what the whole result, or a section that is shown, sums up to differs from another view of
  /// the same sections.
  func summariesDiffer(from other: ResultView) -> Bool {
    guard plan.keepsSummaries, plan === other.plan else { return false }
    if base.summary != other.base.summary { return true }
    return (0..<min(sectionCount, other.sectionCount)).contains { section in
      base.summary(of: tree(ofSection: section))
        != other.base.summary(of: other.tree(ofSection: section))
    }
  }
}

internal import EntityStore
internal import Locking

extension ResultSnapshot {
  /// The summary of all rows.
  ///
  /// - Complexity: O(*m*), where *m* is the number of nodes without a summary: O(*k* log *n*) after
  ///   *k* changes. A summary stays with its node, which this and older snapshots may share.
  var summary: ResultSummary {
    sections.summary {
      summary(of: $0.rows)
    } combine: {
      combined($0)
    }
  }

  /// Returns the summary of the rows of a section.
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
  /// Checks that each summary that a node keeps is that of this snapshot's rows.
  ///
  /// A node may keep its summary for older snapshots, too.
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
  /// Does nothing unless the trait `InternalChecks` is on.
  @inline(__always) func checkSummaries() {}
  #endif
}

extension ResultView {
  /// Returns true if the summary of the whole result or of a shown section differs from another
  /// view's.
  ///
  /// The other view may be of another query. If that query doesn't aggregate all fields of this
  /// one, the summaries differ.
  func summariesDiffer(from other: ResultView) -> Bool {
    guard plan.keepsSummaries else { return false }
    guard let places = plan.aggregatedPlaces(in: other.plan) else { return true }
    if base.summary.differs(from: other.base.summary, at: places) { return true }
    if plan === other.plan {
      // If sections were inserted or deleted, there is an event anyway. So the sections at equal
      // positions are compared.
      return (0..<min(sectionCount, other.sectionCount)).contains { section in
        summary(ofSection: section).differs(from: other.summary(ofSection: section), at: places)
      }
    }
    return sections(in: other).contains { section, old in
      summary(ofSection: section).differs(from: other.summary(ofSection: old), at: places)
    }
  }

  /// Returns the identities of the sections in both views that differ in a way that no change
  /// names.
  ///
  /// They differ in their summaries, or in the values that they are ordered by. The other view may
  /// be of another query.
  func sectionsThatDifferUnnamed(from other: ResultView) -> [StoredValue] {
    let places = plan.keepsSummaries ? plan.aggregatedPlaces(in: other.plan) : []
    return sections(in: other).compactMap { section, old in
      let key = key(ofSection: section)
      guard let places, key.order == other.key(ofSection: old).order else { return key.identity }
      if places.isEmpty { return nil }
      let isOther =
        summary(ofSection: section).differs(from: other.summary(ofSection: old), at: places)
      return isOther ? key.identity : nil
    }
  }

  private func summary(ofSection section: Int) -> ResultSummary {
    base.summary(of: tree(ofSection: section))
  }
}

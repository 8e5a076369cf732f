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
  /// Whether what the whole result, or a section that is shown, sums up to differs from another view,
  /// perhaps one of another query, or wasn't summed up there.
  func summariesDiffer(from other: ResultView) -> Bool {
    guard plan.keepsSummaries else { return false }
    guard let places = plan.aggregatedPlaces(in: other.plan) else { return true }
    if base.summary.differs(from: other.base.summary, at: places) { return true }
    if plan === other.plan {
      // Where sections came or went there is an event anyway, so those at one place are compared.
      return (0..<min(sectionCount, other.sectionCount)).contains { section in
        summary(ofSection: section) != other.summary(ofSection: section)
      }
    }
    return sections(in: other).contains { section, old in
      summary(ofSection: section).differs(from: other.summary(ofSection: old), at: places)
    }
  }

  /// The sections that another view shows too, perhaps one of another query, and that differ in what no
  /// change names: in what they sum up to, or in what they are ordered by.
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

  /// The positions of the sections that another view shows too, here and there.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  private func sections(in other: ResultView) -> [(here: Int, there: Int)] {
    var places: [StoredValue: Int] = [:]
    for section in 0..<other.sectionCount {
      places[other.key(ofSection: section).identity] = section
    }
    return (0..<sectionCount).compactMap { section in
      places[key(ofSection: section).identity].map { (section, $0) }
    }
  }
}

internal import EntityStore
public import ListDiffing

extension FetchedObjectsSnapshot {
  /// True if the query has sections.
  package var isSectioned: Bool { result.plan.query.sectioning != nil }

  /// Returns true if the other snapshot is this one.
  ///
  /// Equal rows alone aren't enough.
  ///
  /// - Complexity: O(1)
  package func isIdentical(to other: FetchedObjectsSnapshot) -> Bool {
    result.base === other.result.base && result.window == other.result.window
  }

  /// Returns the changes that lead from this snapshot to another one, which may have another query.
  ///
  ///     let before = try FetchedObjectsSnapshot(query, in: store)
  ///     // later
  ///     let changes = before.changes(to: try FetchedObjectsSnapshot(query, in: store))
  ///
  /// Rows are the same if their ids are equal, and sections are the same if their identities are
  /// equal. The events of a model contain the same changes at a lower cost.
  ///
  /// - Returns: The changes; old paths refer to this snapshot, new ones to `other`.
  /// - Complexity: O(*n* log *n*), where *n* is the number of rows of both.
  public func changes(to other: FetchedObjectsSnapshot) -> ListChanges {
    SectionedListDiff(from: comparedSections, to: other.comparedSections).changes
  }

  private var comparedSections: [ListSection<ComparedHeader, ComparedRow<E>>] {
    sections.map { section in
      ListSection(
        header: ComparedHeader(
          diffIdentifier: isSectioned ? section.identity : nil, title: section.name),
        rows: section.map { ComparedRow(row: $0.result, plan: result.plan) })
    }
  }
}

/// A row, for the comparison of two results, which may have different queries.
private struct ComparedRow<E: Entity>: Diffable {
  let row: ResultRow
  let plan: ResultPlan

  var diffIdentifier: StoredValue { row.id }

  func isContentEqual(to other: ComparedRow) -> Bool {
    if plan === other.plan { return !row.differs(from: other.row) }
    return row.row.isEqual(to: other.row.row)
      && plan.includedValues(of: row) == other.plan.includedValues(of: other.row)
  }
}

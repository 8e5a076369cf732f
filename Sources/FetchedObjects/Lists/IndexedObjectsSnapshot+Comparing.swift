internal import EntityStore
package import ListDiffing

extension IndexedObjectsSnapshot {
  /// True if the query has sections.
  package var isSectioned: Bool { index.plan.query.sectioning != nil }

  /// Returns true if the other snapshot is this one.
  ///
  /// Equal rows alone aren't enough.
  ///
  /// - Complexity: O(1)
  package func isIdentical(to other: IndexedObjectsSnapshot) -> Bool { index === other.index }

  /// Returns the changes that lead from this snapshot to another one of the same entity, which may
  /// have another query.
  ///
  /// Rows are the same if their numbers are equal. Each counts as updated, because its content
  /// isn't known.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of rows of both.
  package func changes(to other: IndexedObjectsSnapshot) -> ListChanges {
    SectionedListDiff(from: comparedSections, to: other.comparedSections).changes
  }

  private var comparedSections: [ListSection<ComparedHeader, NumberedRow>] {
    var list = sections.map { section in
      ListSection<ComparedHeader, NumberedRow>(
        header: ComparedHeader(
          diffIdentifier: isSectioned ? section.identity : nil, title: section.name),
        rows: [])
    }
    index.forEachNumber { list[$0.section].rows.append(NumberedRow(diffIdentifier: $1)) }
    return list
  }
}

/// A row of which only the storage's row number is known.
private struct NumberedRow: Diffable {
  let diffIdentifier: Int64

  func isContentEqual(to other: NumberedRow) -> Bool { false }
}

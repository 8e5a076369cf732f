internal import EntityStore
package import ListDiffing

extension IndexedObjectsSnapshot {
  /// Whether the query has sections.
  package var isSectioned: Bool { index.plan.query.sectioning != nil }

  /// Whether the other snapshot is this one, and not only one with the same rows.
  ///
  /// - Complexity: O(1)
  package func isIdentical(to other: IndexedObjectsSnapshot) -> Bool { index === other.index }

  /// The changes that lead from this snapshot to another one of the same entity, which may be that of another query.
  ///
  /// Rows are the same where their numbers are equal, and each counts as updated, since its content isn't known.
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

/// A row of which only the storage's number is known.
private struct NumberedRow: Diffable {
  let diffIdentifier: Int64

  func isContentEqual(to other: NumberedRow) -> Bool { false }
}

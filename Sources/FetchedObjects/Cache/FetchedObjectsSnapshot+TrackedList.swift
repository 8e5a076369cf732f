internal import EntityStore
internal import ListDiffing

extension FetchedObjectsSnapshot: TrackedList {
  /// Whether the query has sections.
  var isSectioned: Bool { result.plan.query.sectioning != nil }

  var sectionTitles: [String] { sections.map(\.name) }

  func isIdentical(to other: FetchedObjectsSnapshot) -> Bool {
    result.base === other.result.base && result.window == other.result.window
  }

  func changes(to other: FetchedObjectsSnapshot) -> ListChanges {
    SectionedListDiff(from: listed, to: other.listed).changes
  }

  private var listed: [ListSection<TrackedHeader<StoredValue>, TrackedView<E>>] {
    sections.map { section in
      ListSection(
        header: TrackedHeader(
          diffIdentifier: isSectioned ? section.identity : nil, title: section.name),
        rows: section.map { TrackedView(row: $0.result, plan: result.plan) })
    }
  }
}

/// A row as two results are compared by it, which may be those of two queries.
private struct TrackedView<E: Entity>: Diffable {
  let row: ResultRow
  let plan: ResultPlan

  var diffIdentifier: StoredValue { row.id }

  func isContentEqual(to other: TrackedView) -> Bool {
    if plan === other.plan { return !row.differs(from: other.row) }
    return row.row.isEqual(to: other.row.row)
      && plan.includedValues(of: row) == other.plan.includedValues(of: other.row)
  }
}

internal import EntityStore
internal import ListDiffing

extension FetchedObjectsSnapshot: TrackedList {
  /// Whether the query has sections.
  var isSectioned: Bool { result.plan.query.sectioning != nil }

  var sectionTitles: [String] { sections.map(\.name) }

  func isIdentical(to other: FetchedObjectsSnapshot) -> Bool { result === other.result }

  func changes(to other: FetchedObjectsSnapshot) -> ListChanges {
    SectionedListDiff(from: listed, to: other.listed).changes
  }

  private var listed: [ListSection<TrackedHeader<StoredValue>, EntityView<E>>] {
    sections.map { section in
      ListSection(
        header: TrackedHeader(
          diffIdentifier: isSectioned ? section.identity : nil, title: section.name),
        rows: Array(section))
    }
  }
}

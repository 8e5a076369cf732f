public import ListDiffing

extension ListSnapshot {
  /// True if the list has sections.
  ///
  /// A list without sections has one section, even if it is empty.
  public var isSectioned: Bool { content.isSectioned }

  /// Equal rows alone aren't enough.
  ///
  /// - Complexity: O(1)
  package func isIdentical(to other: ListSnapshot) -> Bool { content.key == other.content.key }

  /// Returns the changes that lead from this snapshot to another one, which may belong to another
  /// query.
  ///
  ///     let before = try ListSnapshot(query, in: store)
  ///     // later
  ///     let changes = before.changes(to: try ListSnapshot(query, in: store))
  ///
  /// Rows are the same if their identifiers are equal, and objects if the stored forms of their ids
  /// are. Sections are the same if their ids are equal. The one section of a list without sections
  /// isn't the same as the section of nil. The events of a model contain the same changes at a
  /// lower cost, except that a new query may make one of these sections out of the other.
  ///
  /// - Returns: The changes; old paths refer to this snapshot, new ones to `other`.
  /// - Complexity: O(*n* log *n*), where *n* is the number of rows of both.
  public func changes(to other: ListSnapshot) -> ListChanges { content.changes(to: other.content) }
}

extension ListContent {
  func changes(to other: any ListContent<Row>) -> ListChanges {
    comparedChanges(from: self, to: other)
  }

  /// The sections with all rows, for the comparison of two versions.
  fileprivate var comparedSections: [ListSection<ComparedHeader, Row>] {
    (0..<sectionCount).map { section in
      ListSection(header: ComparedHeader(header(section)), rows: rows(section))
    }
  }
}

/// Returns the changes from one list to another by a comparison of all rows.
func comparedChanges<Row>(
  from before: some ListContent<Row>, to after: any ListContent<Row>
) -> ListChanges {
  let (old, new) = (before.comparedSections, after.comparedSections)
  let objects = Row.self as? any StoredIDRow.Type
  return objects?.changes(from: old, to: new) ?? SectionedListDiff(from: old, to: new).changes
}

extension ListPresentation {
  /// One batch of changes for the host of a list: the changes of one call of `performBatchUpdates`.
  ///
  ///     let diff = SectionedListDiff(from: old, to: new)
  ///     let shown = ListPresentation(of: diff.changes, sectionCount: old.count)
  ///     for pass in shown.passes { print(pass) }  // delete section 0, insert 0.2, move 1.0 → 0.1
  ///
  /// Old positions refer to the list before the pass, new positions to the list after it. Hosts
  /// trap if the two don't add up. They also refuse some combinations, or handle them incorrectly.
  /// A pass has none of these:
  ///
  /// - The rows of a deleted section are deleted with it, and the rows of an inserted section are
  ///   inserted with it. None of them is listed, not even as a move.
  /// - The rows of a moved section move with it, and none of them is listed.
  /// - Nothing is in two changes. There are no updates, because they have to wait until the pass is
  ///   over.
  /// - No move has two equal positions.
  ///
  /// All arrays are sorted. Moves are sorted by their new position.
  public struct Pass: Hashable, Sendable {
    /// The changes, without the rows that are deleted and inserted with their sections.
    let changes: ListChanges

    /// The content of each section after the pass, or nil if the list is the new one then.
    let contents: [PassSection]?

    init(_ changes: ListChanges, contents: [PassSection]? = nil) {
      self.changes = changes
      self.contents = contents
    }

    /// The old positions of the sections that are deleted with their rows.
    public var deletedSections: [Int] { changes.deletedSections }

    /// The new positions of the sections that are inserted with their rows.
    public var insertedSections: [Int] { changes.insertedSections }

    /// The sections that are moved with their rows.
    public var movedSections: [PositionChange<Int>] { changes.movedSections }

    /// The old paths of the deleted rows.
    public var deletes: [ListPath] { changes.deletes }

    /// The new paths of the inserted rows.
    public var inserts: [ListPath] { changes.inserts }

    /// The moved rows.
    public var moves: [PositionChange<ListPath>] { changes.moves }

    /// True if the pass has no changes.
    public var isEmpty: Bool { changes.isEmpty }
  }
}

extension ListPresentation.Pass: CustomStringConvertible {
  /// The pass as a text, such as "delete 0.1, move 0.2 → 0.0", or "nothing".
  public var description: String { isEmpty ? "nothing" : "\(changes)" }
}

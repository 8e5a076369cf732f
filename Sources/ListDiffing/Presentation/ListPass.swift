/// One batch of changes as the host of a list takes it: what one call of `performBatchUpdates` does.
///
///     let diff = SectionedListDiff(from: old, to: new)
///     let shown = ListPresentation(of: diff.changes, sectionCount: old.count)
///     for pass in shown.passes { print(pass) }  // delete section 0, insert 0.2, move 1.0 → 0.1
///
/// Old positions refer to the list before the pass, new positions to the list after it. Hosts trap where the
/// two don't add up, and some combinations they refuse or get wrong. A pass has none of these:
///
/// - The rows of a deleted section go with it and those of an inserted one come with it. None is listed, also
///   not as a move.
/// - A moved section takes its rows with it, and none of them is listed.
/// - Nothing is in two changes. There are no updates; they have to wait until the pass is over.
/// - No move has two equal positions.
///
/// All arrays are sorted, moves by their new position.
public struct ListPass: Hashable, Sendable {
  /// The sections that go, with their rows: old positions.
  public internal(set) var deletedSections: [Int] = []

  /// The sections that come, with their rows: new positions.
  public internal(set) var insertedSections: [Int] = []

  /// The sections that change place, with their rows.
  public internal(set) var movedSections: [PositionChange<Int>] = []

  /// The rows that go: old paths.
  public internal(set) var deletes: [ListPath] = []

  /// The rows that come: new paths.
  public internal(set) var inserts: [ListPath] = []

  /// The rows that change place.
  public internal(set) var moves: [PositionChange<ListPath>] = []

  /// What each section holds after the pass; nil if the list is the new one then.
  var contents: [SectionContent]?

  init() {}

  /// Whether there is nothing to do.
  public var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty
      && deletes.isEmpty && inserts.isEmpty && moves.isEmpty
  }

  /// Sorts what was added in any order.
  mutating func sort() {
    deletedSections.sort()
    insertedSections.sort()
    movedSections.sort { $0.new < $1.new }
    deletes.sort()
    inserts.sort()
    moves.sort { $0.new < $1.new }
  }
}

extension ListPass: CustomStringConvertible {
  /// The pass in words, as in "delete 0.1, move 0.2 → 0.0", or "nothing".
  public var description: String { isEmpty ? "nothing" : "\(changes)" }

  /// The pass as changes, which lack what goes and comes with sections.
  var changes: ListChanges {
    ListChanges(
      deletedSections: deletedSections, insertedSections: insertedSections,
      movedSections: movedSections, deletes: deletes, inserts: inserts, moves: moves)
  }
}

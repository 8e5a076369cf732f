/// The difference of two lists with sections: the fewest moves, and all that came, went or changed.
///
///     let old = [ListSection(header: "Ann", rows: [1, 2]), ListSection(header: "Bob", rows: [3])]
///     let new = [ListSection(header: "Bob", rows: [3, 1]), ListSection(header: "Ann", rows: [2])]
///     let diff = SectionedListDiff(from: old, to: new)
///     print(diff.changes)  // move section 1 → 0, move 0.0 → 0.1
///     var list = old
///     diff.changes.apply(to: &list, header: { new[$0].header }) { new[$0] }
///     list == new  // true
///
/// Sections are the same if the identifiers of their headers are equal; so are rows, wherever they are. A row
/// that goes to another section is a move. A section that keeps its place among the others is updated if its
/// header's content differs; one that moves takes its rows with it.
///
/// If identifiers are unique, as few sections move as possible, and given that as few rows. The result is
/// deterministic. Copies of an identifier do no harm: those in one section are matched there first, then the
/// rest in the order of the sections. ``duplicates`` tells which they are.
///
/// - Complexity: O(*s* log *s* + *n* + *m* log *m*), where *s* is the number of sections, *n* that of rows and
///   *m* that of rows between what sections begin and end with in common. Only these are hashed.
public struct SectionedListDiff<Header: Diffable, Row: Diffable> {
  /// The list before.
  public let old: [ListSection<Header, Row>]

  /// The list after.
  public let new: [ListSection<Header, Row>]

  /// What leads from the old list to the new one.
  public let changes: ListChanges

  /// Compares two lists.
  @inlinable
  public init(from old: [ListSection<Header, Row>], to new: [ListSection<Header, Row>]) {
    self.old = old
    self.new = new
    changes = ListChanges(
      from: old, to: new, sectionsIdentifiedBy: { $0.diffIdentifier },
      rowsIdentifiedBy: { $0.diffIdentifier },
      isHeaderEqual: { $0.isContentEqual(to: $1) }, isContentEqual: { $0.isContentEqual(to: $1) })
  }
}

extension SectionedListDiff where Header == Int {
  /// Compares two nested arrays, whose sections are known by their positions.
  ///
  ///     let diff = SectionedListDiff(from: [["Golf", "Polo"], ["Panda"]], to: [["Polo"], ["Golf", "Panda"]])
  ///     diff.changes  // move 0.0 → 1.0
  ///
  /// The first section of one is the first of the other, and so on, so sections only come and go at the end. Where
  /// sections have an identity or a title of their own, make each a ``ListSection``.
  @inlinable
  public init(from old: [[Row]], to new: [[Row]]) {
    self.init(
      from: old.enumerated().map { ListSection(header: $0.offset, rows: $0.element) },
      to: new.enumerated().map { ListSection(header: $0.offset, rows: $0.element) })
  }
}

extension SectionedListDiff: Sendable where Header: Sendable, Row: Sendable {}

extension SectionedListDiff {
  /// An identifier of rows that a list repeats, and where.
  public struct Duplicate: Hashable, Sendable, CustomStringConvertible {
    /// The identifier that is there more than once.
    public let identifier: Row.DiffIdentifier

    /// Its paths in the list before, ascending.
    public let oldPaths: [ListPath]

    /// Its paths in the list after, ascending.
    public let newPaths: [ListPath]

    /// The identifier and its paths, as in "7 at [0.0, 1.0], then at [0.1]".
    public var description: String {
      "\(oneLine(identifier)) at \(oldPaths), then at \(newPaths)"
    }
  }

  /// The identifiers of rows that are more than once in the old or in the new list, in any sections.
  ///
  /// They are in the order in which they first appear, in the old list, then in the new.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows of both lists. It is found out when asked for, since
  ///   the changes don't need it.
  public var duplicates: [Duplicate] {
    let (oldPaths, newPaths) = (Self.paths(in: old), Self.paths(in: new))
    let rows = ListDiff.duplicates(in: old.flatMap(\.rows), new.flatMap(\.rows))
    return rows.map { duplicate in
      Duplicate(
        identifier: duplicate.identifier, oldPaths: duplicate.oldPositions.map { oldPaths[$0] },
        newPaths: duplicate.newPositions.map { newPaths[$0] })
    }
  }

  /// The identifiers of sections that are more than once in the old or in the new list.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections of both lists.
  public var duplicateSections: [ListDiff<Header>.Duplicate] {
    ListDiff.duplicates(in: old.map(\.header), new.map(\.header))
  }

  private static func paths(in list: [ListSection<Header, Row>]) -> [ListPath] {
    list.enumerated().flatMap { section, content in
      content.rows.indices.map { ListPath(section: section, row: $0) }
    }
  }
}

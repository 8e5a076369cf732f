/// The difference of two sectioned lists: the fewest moves, and all insertions, deletions and
/// updates.
///
///     let old = [ListSection(header: "Ann", rows: [1, 2]), ListSection(header: "Bob", rows: [3])]
///     let new = [ListSection(header: "Bob", rows: [3, 1]), ListSection(header: "Ann", rows: [2])]
///     let diff = SectionedListDiff(from: old, to: new)
///     print(diff.changes)  // move section 1 → 0, move 0.0 → 0.1
///     var list = old
///     diff.changes.apply(to: &list, header: { new[$0].header }) { new[$0] }
///     list == new  // true
///
/// Sections are the same if the identifiers of their headers are equal. Rows are the same if their
/// identifiers are equal, in any sections. A row that changes its section is moved. A section that
/// keeps its position relative to the others is updated if the content of its header differs. The
/// rows of a moved section move with it.
///
/// If identifiers are unique, the number of moved sections is minimal, and then the number of moved
/// rows. The result is deterministic. Identifiers may repeat. Copies in one section are matched
/// there first, then the rest in the order of the sections. ``duplicates`` lists the repeated
/// identifiers.
///
/// - Complexity: O(*s* log *s* + *n* + *m* log *m*), where *s* is the number of sections, *n* the
///   number of rows and *m* the number of rows without the common beginning and end of each
///   section. Only the latter are hashed.
public struct SectionedListDiff<Header: Diffable, Row: Diffable> {
  /// The list before.
  public let old: [ListSection<Header, Row>]

  /// The list after.
  public let new: [ListSection<Header, Row>]

  /// The changes from the old list to the new one.
  public let changes: ListChanges

  /// Compares two lists.
  ///
  /// - Parameters:
  ///   - old: The list before.
  ///   - new: The list after.
  ///   - areIdentifiersUnique: True if no identifier of a section or row repeats in either list, as
  ///     in a store. The comparison is faster then. If one repeats all the same, the changes still
  ///     lead from one list to the other, but copies may be matched in another order.
  @inlinable
  public init(
    from old: [ListSection<Header, Row>], to new: [ListSection<Header, Row>],
    areIdentifiersUnique: Bool = false
  ) {
    self.old = old
    self.new = new
    changes = ListChanges(
      from: old, to: new, areIdentifiersUnique: areIdentifiersUnique,
      sectionsIdentifiedBy: { $0.diffIdentifier },
      rowsIdentifiedBy: { $0.diffIdentifier },
      isHeaderEqual: { $0.isContentEqual(to: $1) }, isContentEqual: { $0.isContentEqual(to: $1) })
  }
}

extension SectionedListDiff where Header == Int {
  /// Compares two nested arrays whose sections are identified by their positions.
  ///
  ///     let diff = SectionedListDiff(
  ///       from: [["Golf", "Polo"], ["Panda"]], to: [["Polo"], ["Golf", "Panda"]])
  ///     diff.changes  // move 0.0 → 1.0
  ///
  /// The first section of one list is the first section of the other, and so on. So sections are
  /// only inserted and deleted at the end. If sections have an identity or a title, make each of
  /// them a ``ListSection``.
  ///
  /// - Parameters:
  ///   - old: The list before.
  ///   - new: The list after.
  ///   - areIdentifiersUnique: True if no identifier of a row repeats in either list. The
  ///     comparison is faster then.
  @inlinable
  public init(from old: [[Row]], to new: [[Row]], areIdentifiersUnique: Bool = false) {
    self.init(
      from: old.enumerated().map { ListSection(header: $0.offset, rows: $0.element) },
      to: new.enumerated().map { ListSection(header: $0.offset, rows: $0.element) },
      areIdentifiersUnique: areIdentifiersUnique)
  }
}

extension SectionedListDiff: Sendable where Header: Sendable, Row: Sendable {}

extension SectionedListDiff {
  /// An identifier of rows that a list repeats, with its paths.
  public struct Duplicate: Hashable, Sendable, CustomStringConvertible {
    /// The identifier that occurs more than once.
    public let identifier: Row.DiffIdentifier

    /// Its paths in the list before, ascending.
    public let oldPaths: [ListPath]

    /// Its paths in the list after, ascending.
    public let newPaths: [ListPath]

    /// The identifier and its paths, such as "7 at [0.0, 1.0], then at [0.1]".
    public var description: String {
      "\(oneLine(identifier)) at \(oldPaths), then at \(newPaths)"
    }
  }

  /// The identifiers of rows that occur more than once in the old or in the new list, in any
  /// sections.
  ///
  /// They are in the order of their first occurrence, in the old list, then in the new one.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows of both lists. The value is computed on
  ///   each access, because the changes don't need it.
  public var duplicates: [Duplicate] {
    let (oldPaths, newPaths) = (Self.paths(in: old), Self.paths(in: new))
    let rows = ListDiff.duplicates(in: old.flatMap(\.rows), new.flatMap(\.rows))
    return rows.map { duplicate in
      Duplicate(
        identifier: duplicate.identifier, oldPaths: duplicate.oldPositions.map { oldPaths[$0] },
        newPaths: duplicate.newPositions.map { newPaths[$0] })
    }
  }

  /// The identifiers of sections that occur more than once in the old or in the new list.
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

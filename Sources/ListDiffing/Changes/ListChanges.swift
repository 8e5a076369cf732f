/// The changes of the sections and rows of a list between two versions.
///
///     let changes = ListChanges(
///       deletes: [ListPath(section: 0, row: 0)],
///       updates: [
///         PositionChange(old: ListPath(section: 0, row: 2), new: ListPath(section: 0, row: 1))
///       ])
///     var list = ["a", "b", "c"]
///     changes.apply(to: &list) { path in ["b", "C"][path.row] }
///     list  // ["b", "C"]
///
/// Old positions refer to the list before, new positions to the list after. Each row and each
/// section is in one change at most. A moved row has new content. A moved section has a new header.
///
/// The rows of a deleted section are deletes or moves. The rows of an inserted section are inserts
/// or moves. A row that changes its section is a move, even if its two paths are equal. The rows of
/// a moved section move with it and are not listed.
///
/// Each array is always sorted. Changes can be applied, inverted, encoded, and checked with
/// `validate(old:new:)`.
public struct ListChanges: Hashable, Sendable {
  /// The old positions of the deleted sections, ascending.
  public internal(set) var deletedSections: [Int]

  /// The new positions of the inserted sections, ascending.
  public internal(set) var insertedSections: [Int]

  /// The sections that changed their position relative to the others, by ascending new position.
  public internal(set) var movedSections: [PositionChange<Int>]

  /// The sections that stayed and have a new header, by ascending old position.
  public internal(set) var updatedSections: [PositionChange<Int>]

  /// The old paths of the deleted rows, ascending.
  public internal(set) var deletes: [ListPath]

  /// The new paths of the inserted rows, ascending.
  public internal(set) var inserts: [ListPath]

  /// The rows that changed their position relative to the others, by ascending new path.
  public internal(set) var moves: [PositionChange<ListPath>]

  /// The rows that stayed and have new content, by ascending old path.
  public internal(set) var updates: [PositionChange<ListPath>]

  /// Creates changes from their parts, in any order.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of changes. If the parts are sorted,
  ///   O(*k*).
  public init(
    deletedSections: [Int] = [],
    insertedSections: [Int] = [],
    movedSections: [PositionChange<Int>] = [],
    updatedSections: [PositionChange<Int>] = [],
    deletes: [ListPath] = [],
    inserts: [ListPath] = [],
    moves: [PositionChange<ListPath>] = [],
    updates: [PositionChange<ListPath>] = []
  ) {
    self.deletedSections = deletedSections.inOrder(<)
    self.insertedSections = insertedSections.inOrder(<)
    self.movedSections = movedSections.inOrder { ($0.new, $0.old) < ($1.new, $1.old) }
    self.updatedSections = updatedSections.inOrder { ($0.old, $0.new) < ($1.old, $1.new) }
    self.deletes = deletes.inOrder(<)
    self.inserts = inserts.inOrder(<)
    self.moves = moves.inOrder { ($0.new, $0.old) < ($1.new, $1.old) }
    self.updates = updates.inOrder { ($0.old, $0.new) < ($1.old, $1.new) }
  }
}

extension ListChanges {
  /// True if nothing changed.
  public var isEmpty: Bool {
    !hasSectionChanges && deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// The number of changes of sections and rows.
  public var count: Int {
    deletedSections.count + insertedSections.count + movedSections.count + updatedSections.count
      + deletes.count + inserts.count + moves.count + updates.count
  }

  /// True if a section was inserted, deleted or moved, or has a new header.
  public var hasSectionChanges: Bool {
    !(deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty
      && updatedSections.isEmpty)
  }

  /// The changes from the list after to the list before.
  ///
  ///     changes.inverted.apply(to: &list) { path in old[path.row] }
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of changes.
  public var inverted: ListChanges {
    ListChanges(
      deletedSections: insertedSections,
      insertedSections: deletedSections,
      movedSections: movedSections.map(\.inverted),
      updatedSections: updatedSections.map(\.inverted),
      deletes: inserts,
      inserts: deletes,
      moves: moves.map(\.inverted),
      updates: updates.map(\.inverted))
  }
}

extension ListChanges: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case deletedSections, insertedSections, movedSections, updatedSections
    case deletes, inserts, moves, updates
  }

  /// Decodes changes in any order.
  ///
  /// A missing part is empty.
  ///
  /// The decoded changes aren't checked here. Use `validate(old:new:)` for changes from an
  /// untrusted source.
  ///
  /// - Throws: A `DecodingError`. An unknown part throws as well, because ignoring it would change
  ///   the meaning.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func part<Part: Decodable>(_ key: CodingKeys) throws -> [Part] {
      try container.decodeIfPresent([Part].self, forKey: key) ?? []
    }
    self.init(
      deletedSections: try part(.deletedSections),
      insertedSections: try part(.insertedSections),
      movedSections: try part(.movedSections),
      updatedSections: try part(.updatedSections),
      deletes: try part(.deletes),
      inserts: try part(.inserts),
      moves: try part(.moves),
      updates: try part(.updates))
  }
}

extension ListChanges: CustomStringConvertible {
  /// The changes as a text, such as "delete 0.1, move 0.2 → 0.0", or "no changes".
  public var description: String {
    var words: [String] = []
    words += deletedSections.map { "delete section \($0)" }
    words += insertedSections.map { "insert section \($0)" }
    words += movedSections.map { "move section \($0)" }
    words += updatedSections.map { "update section \($0)" }
    words += deletes.map { "delete \($0)" }
    words += inserts.map { "insert \($0)" }
    words += moves.map { "move \($0)" }
    words += updates.map { "update \($0)" }
    return words.isEmpty ? "no changes" : words.joined(separator: ", ")
  }
}

/// A rule that changes break, with the place where they break it.
///
///     do {
///       try changes.validate(old: [3], new: [2])
///     } catch {
///       print(error)  // The old list has no row 0.7.
///     }
///
/// The letters are those of the rules in `validate(old:new:)`.
public enum ListChangesError: Error, Hashable, Sendable {
  /// Rule a: an old section position is not in the old list.
  case oldSectionOutOfRange(Int)

  /// Rule a: a new section position is not in the new list.
  case newSectionOutOfRange(Int)

  /// Rule c: a section of the old list is in two changes.
  case oldSectionRepeated(Int)

  /// Rule c: a section of the new list is in two changes.
  case newSectionRepeated(Int)

  /// Rule d: the old sections, less the deleted, plus the inserted, are not as many as the new ones.
  case sectionCount(expected: Int, found: Int)

  /// Rule b: two updated sections are in another order than before, so one of them moved.
  case sectionsReordered(PositionChange<Int>, PositionChange<Int>)

  /// Rule f: an updated section did not move, so it must end elsewhere.
  case sectionUpdateMisplaced(PositionChange<Int>, expected: Int?)

  /// Rule a: an old path is not in the old list.
  case oldRowOutOfRange(ListPath)

  /// Rule a: a new path is not in the new list.
  case newRowOutOfRange(ListPath)

  /// Rule c: a row of the old list is in two changes.
  case oldRowRepeated(ListPath)

  /// Rule c: a row of the new list is in two changes.
  case newRowRepeated(ListPath)

  /// Rule e: some rows of a deleted section are neither deleted nor moved.
  case deletedSectionKeepsRows(section: Int, count: Int)

  /// Rule e: some rows of an inserted section are neither inserted nor moved.
  case insertedSectionLacksRows(section: Int, count: Int)

  /// Rule d: the rows of a section, less those that went, plus those that came, are not as many as
  /// the new section has.
  case rowCount(section: PositionChange<Int>, expected: Int, found: Int)

  /// Rule b: two updated rows are in another order than before, so one of them moved.
  case rowsReordered(PositionChange<ListPath>, PositionChange<ListPath>)

  /// Rule f: an updated row did not move, so it must end elsewhere.
  case updateMisplaced(PositionChange<ListPath>, expected: ListPath)
}

extension ListChangesError: CustomStringConvertible {
  /// A sentence that names the place and what is wrong with it.
  public var description: String {
    switch self {
    case .oldSectionOutOfRange(let section):
      "The old list has no section \(section)."
    case .newSectionOutOfRange(let section):
      "The new list has no section \(section)."
    case .oldSectionRepeated(let section):
      "Section \(section) of the old list is in two changes."
    case .newSectionRepeated(let section):
      "Section \(section) of the new list is in two changes."
    case .sectionCount(let expected, let found):
      "The changes lead to \(expected) sections, and the new list has \(found)."
    case .sectionsReordered(let first, let second):
      "Sections \(first) and \(second) change their order, so one of them must be a move."
    case .sectionUpdateMisplaced(let update, let expected):
      if let expected {
        "The updated section \(update) did not move, so it is at \(expected)."
      } else {
        "The updated section \(update) is deleted."
      }
    case .oldRowOutOfRange(let path):
      "The old list has no row \(path)."
    case .newRowOutOfRange(let path):
      "The new list has no row \(path)."
    case .oldRowRepeated(let path):
      "Row \(path) of the old list is in two changes."
    case .newRowRepeated(let path):
      "Row \(path) of the new list is in two changes."
    case .deletedSectionKeepsRows(let section, let count):
      "Section \(section) is deleted, and \(count) of its rows are neither deleted nor moved."
    case .insertedSectionLacksRows(let section, let count):
      "Section \(section) is inserted, and \(count) of its rows are neither inserted nor moved."
    case .rowCount(let section, let expected, let found):
      "The changes leave \(expected) rows in section \(section), and the new list has \(found) there."
    case .rowsReordered(let first, let second):
      "Rows \(first) and \(second) change their order, so one of them must be a move."
    case .updateMisplaced(let update, let expected):
      "The updated row \(update) did not move, so it is at \(expected)."
    }
  }
}

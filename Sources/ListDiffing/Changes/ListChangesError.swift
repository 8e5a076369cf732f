/// A rule that changes break, with the place where they break it.
///
///     do {
///       try changes.validate(old: [3], new: [2])
///     } catch {
///       print(error)  // Rule a: the old list has no row 0.7 (section 0: 3 rows before, 2 rows after).
///     }
///
/// The letters are those of the rules in `validate(old:new:)`.
public enum ListChangesError: Error, Hashable, Sendable {
  /// Rule a: an old section position is not in the old list; with the number of sections in each list.
  case oldSectionOutOfRange(Int, counts: PositionChange<Int>)

  /// Rule a: a new section position is not in the new list; with the number of sections in each list.
  case newSectionOutOfRange(Int, counts: PositionChange<Int>)

  /// Rule c: a section of the old list is in two changes.
  case oldSectionRepeated(Int)

  /// Rule c: a section of the new list is in two changes.
  case newSectionRepeated(Int)

  /// Rule d: there are changes of sections, and a flat list has one section and no other.
  case sectionsOfFlatList

  /// Rule d: the old sections, less the deleted, plus the inserted, are not as many as the new ones.
  case sectionCount(expected: Int, found: Int)

  /// Rule b: two updated sections are in another order than before, so one of them moved.
  case sectionsReordered(PositionChange<Int>, PositionChange<Int>)

  /// Rule f: an updated section did not move, so it must end elsewhere.
  case sectionUpdateMisplaced(PositionChange<Int>, expected: Int?)

  /// Rule a: an old path is not in the old list; with the number of rows that its section has in each list.
  case oldRowOutOfRange(ListPath, counts: PositionChange<Int?>)

  /// Rule a: a new path is not in the new list; with the number of rows that its section has in each list.
  case newRowOutOfRange(ListPath, counts: PositionChange<Int?>)

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

extension ListChangesError {
  /// The letter of the rule, as `validate(old:new:)` lists them.
  public var rule: Character {
    switch self {
    case .oldSectionOutOfRange, .newSectionOutOfRange, .oldRowOutOfRange, .newRowOutOfRange: "a"
    case .sectionsReordered, .rowsReordered: "b"
    case .oldSectionRepeated, .newSectionRepeated, .oldRowRepeated, .newRowRepeated: "c"
    case .sectionsOfFlatList, .sectionCount, .rowCount: "d"
    case .deletedSectionKeepsRows, .insertedSectionLacksRows: "e"
    case .sectionUpdateMisplaced, .updateMisplaced: "f"
    }
  }
}

extension ListChangesError: CustomStringConvertible {
  /// A sentence that names the rule, the place and what is wrong with it.
  public var description: String { "Rule \(rule): \(reason)." }

  private var reason: String {
    switch self {
    case .oldSectionOutOfRange(let section, let counts):
      "the old list has no section \(section) (\(sections(counts.old)) before, \(counts.new) after)"
    case .newSectionOutOfRange(let section, let counts):
      "the new list has no section \(section) (\(sections(counts.old)) before, \(counts.new) after)"
    case .oldSectionRepeated(let section):
      "section \(section) of the old list is in two changes"
    case .newSectionRepeated(let section):
      "section \(section) of the new list is in two changes"
    case .sectionsOfFlatList:
      "a flat list has no sections to change, so apply these changes to a sectioned list"
    case .sectionCount(let expected, let found):
      "the changes lead to \(sections(expected)), and the new list has \(found)"
    case .sectionsReordered(let first, let second):
      "sections \(first) and \(second) change their order, so one of them must be a move"
    case .sectionUpdateMisplaced(let update, let expected):
      if let expected {
        "the updated section \(update) did not move, so it is at \(expected)"
      } else {
        "the updated section \(update) is deleted"
      }
    case .oldRowOutOfRange(let path, let counts):
      "the old list has no row \(path) (\(rows(of: path.section, counts)))"
    case .newRowOutOfRange(let path, let counts):
      "the new list has no row \(path) (\(rows(of: path.section, counts)))"
    case .oldRowRepeated(let path):
      "row \(path) of the old list is in two changes"
    case .newRowRepeated(let path):
      "row \(path) of the new list is in two changes"
    case .deletedSectionKeepsRows(let section, let count):
      "section \(section) is deleted, and \(ofItsRows(count)) neither deleted nor moved"
    case .insertedSectionLacksRows(let section, let count):
      "section \(section) is inserted, and \(ofItsRows(count)) neither inserted nor moved"
    case .rowCount(let section, let expected, let found):
      "the changes leave \(rows(expected)) in section \(section.old == section.new ? "\(section.old)" : "\(section)"), and the new list has \(found) there"
    case .rowsReordered(let first, let second):
      "rows \(first) and \(second) change their order, so one of them must be a move"
    case .updateMisplaced(let update, let expected):
      "the updated row \(update) did not move, so it is at \(expected)"
    }
  }

  private func ofItsRows(_ count: Int) -> String {
    count == 1 ? "1 of its rows is" : "\(count) of its rows are"
  }

  private func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }

  private func sections(_ count: Int) -> String { count == 1 ? "1 section" : "\(count) sections" }

  private func rows(of section: Int, _ counts: PositionChange<Int?>) -> String {
    let words = [counts.old, counts.new].map { $0.map(rows) ?? "none" }
    return "section \(section): \(words[0]) before, \(words[1]) after"
  }
}

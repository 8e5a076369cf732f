/// A rule that changes break, and the position at which they break it.
///
///     do {
///       try changes.validate(old: [3], new: [2])
///     } catch {
///       print(error)
///       // Rule a: the old list has no row 0.7 (section 0: 3 rows before, 2 rows after).
///     }
///
/// The letters are those of the rules of `validate(old:new:)`.
public enum ListChangesError: Error, Hashable, Sendable {
  /// Rule a: an old section position is not in the old list.
  ///
  /// The counts are the numbers of sections in both lists.
  case oldSectionOutOfRange(Int, counts: PositionChange<Int>)

  /// Rule a: a new section position is not in the new list.
  ///
  /// The counts are the numbers of sections in both lists.
  case newSectionOutOfRange(Int, counts: PositionChange<Int>)

  /// Rule c: a section of the old list is in two changes.
  case oldSectionRepeated(Int)

  /// Rule c: a section of the new list is in two changes.
  case newSectionRepeated(Int)

  /// Rule d: there are changes of sections, but a flat list has exactly one section.
  case sectionsOfFlatList

  /// Rule d: the number of old sections, minus deleted, plus inserted, differs from the number of
  /// new sections.
  case sectionCount(expected: Int, found: Int)

  /// Rule b: two updated sections changed their order, so one of them moved.
  case sectionsReordered(PositionChange<Int>, PositionChange<Int>)

  /// Rule f: an updated section did not move, so it must have a different new position.
  case sectionUpdateMisplaced(PositionChange<Int>, expected: Int?)

  /// Rule a: an old path is not in the old list.
  ///
  /// The counts are the numbers of rows of its section in both lists.
  case oldRowOutOfRange(ListPath, counts: PositionChange<Int?>)

  /// Rule a: a new path is not in the new list.
  ///
  /// The counts are the numbers of rows of its section in both lists.
  case newRowOutOfRange(ListPath, counts: PositionChange<Int?>)

  /// Rule c: a row of the old list is in two changes.
  case oldRowRepeated(ListPath)

  /// Rule c: a row of the new list is in two changes.
  case newRowRepeated(ListPath)

  /// Rule e: some rows of a deleted section are neither deleted nor moved.
  case deletedSectionKeepsRows(section: Int, count: Int)

  /// Rule e: some rows of an inserted section are neither inserted nor moved.
  case insertedSectionLacksRows(section: Int, count: Int)

  /// Rule d: the number of old rows of a section, minus removed, plus added, differs from the
  /// number of its new rows.
  case rowCount(section: PositionChange<Int>, expected: Int, found: Int)

  /// Rule b: two updated rows changed their order, so one of them moved.
  case rowsReordered(PositionChange<ListPath>, PositionChange<ListPath>)

  /// Rule f: an updated row did not move, so it must have a different new path.
  case updateMisplaced(PositionChange<ListPath>, expected: ListPath)
}

extension ListChangesError {
  /// The letter of the rule in the list of `validate(old:new:)`.
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
  /// A sentence that names the rule, the position and the problem.
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

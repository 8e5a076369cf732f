import ListDiffing
import TerminalScreen

/// The list as the view keeps it.
///
/// A row is drawn when it first becomes visible, and again if a batch changes it.
struct OwnershipPage {
  /// A row of the list.
  ///
  /// It has no drawing if it hasn't been drawn for this width.
  struct Row: Hashable {
    var drawn: StyledRow?
    /// True if it is the chosen row.
    ///
    /// It stays chosen wherever changes move it.
    var isChosen = false
  }

  private(set) var sections: [ListSection<String, Row>] = []
  private(set) var chosen: ListPath?

  /// The number of all rows.
  var rowCount: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// Creates a page of sections, each with a title and a number of rows.
  init(_ contents: [(title: String, count: Int)] = [], chosen: ListPath? = nil) {
    sections = contents.map { content in
      ListSection(header: content.title, rows: Array(repeating: Row(), count: content.count))
    }
    choose(near: chosen ?? ListPath(section: 0, row: 0))
  }

  /// Applies changes.
  ///
  /// Only inserted, moved and updated rows are drawn again.
  ///
  /// The chosen row stays chosen. If it has been deleted, the row at its position is chosen.
  mutating func apply(_ changes: ListChanges, title: (Int) -> String) {
    var follower: ListPath?
    if let chosen {
      sections[chosen.section].rows[chosen.row].isChosen = true
      follower = (changes.moves + changes.updates).first { $0.old == chosen }?.new
    }
    changes.apply(to: &sections, header: title) { path in Row(isChosen: path == follower) }
    let old = chosen
    chosen = nil
    guard let old else { return choose(near: ListPath(section: 0, row: 0)) }
    for section in sections.indices {
      if let row = sections[section].rows.firstIndex(where: \.isChosen) {
        sections[section].rows[row].isChosen = false
        chosen = ListPath(section: section, row: row)
        return
      }
    }
    choose(near: old)
  }

  /// Chooses the row at a path, or else the last existing row before it.
  private mutating func choose(near path: ListPath) {
    guard !sections.isEmpty else { return chosen = nil }
    let section = min(path.section, sections.count - 1)
    let last = sections[section].rows.count - 1
    let row = path.section > section ? last : min(path.row, last)
    chosen = row < 0 ? nil : ListPath(section: section, row: row)
  }

  /// Stores the drawing of a row.
  mutating func keep(_ drawn: StyledRow, at path: ListPath) {
    sections[path.section].rows[path.row].drawn = drawn
  }

  /// Removes all drawings, because the width has changed.
  mutating func forgetDrawings() {
    for section in sections.indices {
      for row in sections[section].rows.indices { sections[section].rows[row].drawn = nil }
    }
  }
}

// Lines: one for the title of each section, and one for each row.
extension OwnershipPage {
  /// The content of a line.
  enum Line: Hashable {
    case title(Int)
    case row(ListPath)
  }

  var lineCount: Int { sections.count + rowCount }

  /// Returns the line of a row.
  func line(of path: ListPath) -> Int {
    sections[..<path.section].reduce(path.row + 1) { $0 + $1.rows.count + 1 }
  }

  /// Returns the content of some lines.
  func lines(_ range: Range<Int>) -> [Line] {
    var lines: [Line] = []
    var first = 0  // the line of the section's title
    for section in sections.indices where first < range.upperBound {
      let end = first + sections[section].rows.count + 1
      for line in max(
        first, range.lowerBound)..<max(min(end, range.upperBound), range.lowerBound, first)
      {
        lines.append(
          line == first ? .title(section) : .row(ListPath(section: section, row: line - first - 1)))
      }
      first = end
    }
    return lines
  }
}

// Choosing.
extension OwnershipPage {
  /// Chooses the row at a distance from the chosen row.
  ///
  /// It stops at the first and the last row.
  mutating func chooseRow(by distance: Int) {
    guard let chosen else { return }
    let counts = sections.map(\.rows.count)
    let position = counts[..<chosen.section].reduce(chosen.row, +) + distance
    var rest = max(0, min(position, rowCount - 1))
    for (section, count) in counts.enumerated() {
      if rest < count { return self.chosen = ListPath(section: section, row: rest) }
      rest -= count
    }
  }

  /// Chooses the row at a path.
  mutating func choose(_ path: ListPath) { chosen = path }

  /// Chooses the first row of a section, if there is such a section.
  mutating func chooseSection(_ section: Int) {
    guard sections.indices.contains(section), !sections[section].rows.isEmpty else { return }
    chosen = ListPath(section: section, row: 0)
  }
}

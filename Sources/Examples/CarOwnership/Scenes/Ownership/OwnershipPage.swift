import ListDiffing
import TerminalScreen

/// The list as the view keeps it: a row is drawn when it is seen first, and again when a batch says so.
struct OwnershipPage {
  /// A row of the list; nil where it hasn't been drawn, or not for this width.
  struct Row: Hashable {
    var drawn: StyledRow?
    /// Whether it is the chosen one, which it stays wherever changes take it.
    var isChosen = false
  }

  private(set) var sections: [ListSection<String, Row>] = []
  private(set) var chosen: ListPath?

  /// The rows in all.
  var rowCount: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// Begins anew with sections of a title and a number of rows each.
  init(_ contents: [(title: String, count: Int)] = [], chosen: ListPath? = nil) {
    sections = contents.map { content in
      ListSection(header: content.title, rows: Array(repeating: Row(), count: content.count))
    }
    choose(near: chosen ?? ListPath(section: 0, row: 0))
  }

  /// Takes changes over: rows that came, moved or changed are to be drawn anew, no others.
  ///
  /// The chosen row stays chosen, or if it has gone, the one in its place.
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

  /// Chooses the row at a path, or the last one before it that there is.
  private mutating func choose(near path: ListPath) {
    guard !sections.isEmpty else { return chosen = nil }
    let section = min(path.section, sections.count - 1)
    let last = sections[section].rows.count - 1
    let row = path.section > section ? last : min(path.row, last)
    chosen = row < 0 ? nil : ListPath(section: section, row: row)
  }

  /// Keeps what was drawn of a row.
  mutating func keep(_ drawn: StyledRow, at path: ListPath) {
    sections[path.section].rows[path.row].drawn = drawn
  }

  /// Every row has to be drawn anew, for another width.
  mutating func forgetDrawings() {
    for section in sections.indices {
      for row in sections[section].rows.indices { sections[section].rows[row].drawn = nil }
    }
  }
}

// Lines: one for each section's title, and one for each row.
extension OwnershipPage {
  /// What stands on a line.
  enum Line: Hashable {
    case title(Int)
    case row(ListPath)
  }

  var lineCount: Int { sections.count + rowCount }

  /// The line of a row.
  func line(of path: ListPath) -> Int {
    sections[..<path.section].reduce(path.row + 1) { $0 + $1.rows.count + 1 }
  }

  /// What stands on some lines.
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
  /// Chooses the row so many rows further down, or up; the first or last one at the ends.
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

import TerminalScreen

/// The keys that the user may press, as text.
enum HelpView {
  private static let keys = [
    ("arrows j k", "move"), ("g G", "first, last"), ("Tab", "next section"),
    ("Enter", "the flight"), ("/", "search"), ("s", "other sections"), ("space", "pause"),
    ("+ -", "speed"), ("i", "inspector"), ("r", "rename airline"),
    ("R", "rename aircraft"), ("Esc", "back"), ("q", "quit"),
  ]

  /// Returns the rows of a screen of this size: in two columns if they don't fit below each other.
  static func lines(size: ScreenSize) -> [StyledRow] {
    let room = max(1, size.rows - 1)
    let isNarrow = keys.count > room
    let count = isNarrow ? (keys.count + 1) / 2 : keys.count
    // Half a narrow screen has no room for a wide gap.
    let gap = isNarrow && size.columns < 70 ? 0 : 16
    let width = isNarrow ? size.columns / 2 : size.columns
    let texts = keys.map { key, meaning in
      gap == 0 ? "\(key) \(meaning)" : fitted(key, to: gap) + meaning
    }
    var lines = [StyledRow("Keys  (? or Esc: the board)", .bold)]
    for index in 0..<count {
      var line = fitted(texts[index], to: width - 1)
      if isNarrow, index + count < texts.count { line += " " + texts[index + count] }
      lines.append(StyledRow(fitted(line, to: size.columns)))
    }
    while lines.count < size.rows { lines.append(StyledRow()) }
    return Array(lines.prefix(size.rows))
  }

  /// Returns as many of some hints, the first ones first, as fit into a line.
  static func hints(_ hints: [String], columns: Int) -> StyledRow {
    var text = ""
    for hint in hints {
      let longer = text.isEmpty ? hint : text + "  " + hint
      if longer.columns > columns { break }
      text = longer
    }
    return StyledRow(text, .dim)
  }
}

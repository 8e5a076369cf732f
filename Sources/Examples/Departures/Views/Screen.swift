import ListDiffing

/// The board as lines of text for a terminal of some size.
///
/// It only arranges and paints what the page says.
struct Screen {
  var width: Int
  var height: Int
  var style: Style

  /// The lines, at most `height` of them and each at most `width` characters wide.
  func lines(for page: BoardPage) -> [String] {
    let board = page.board
    let heading = fitted(
      "Departures  New York  \(page.day)  \(page.clock)  \(page.note)", to: width)
    var lines = [style.paint(heading, .bold), style.paint(fitted(summary(page), to: width), .dim)]
    // Each section takes a line for its title; what is left goes to the rows, fairly.
    let shares = Self.shares(of: height - lines.count - board.count, among: board.map(\.rows.count))
    for (section, share) in zip(board, shares) {
      lines.append(title(of: section, shown: share))
      for row in section.rows.prefix(share) {
        lines.append(line(of: row, isTouched: page.touched.contains(row.id)))
      }
    }
    return Array(lines.prefix(height))
  }

  private func summary(_ page: BoardPage) -> String {
    let counts = Status.allCases.compactMap { status in
      page.soFar[status].map { "\($0) \(status.rawValue)" }
    }
    return "flights so far: " + (counts.isEmpty ? "nothing" : counts.joined(separator: ", "))
  }

  private func title(of section: Board.Element, shown: Int) -> String {
    let count = section.rows.count
    let note = shown < count ? "\(shown) of \(count)" : "\(count)"
    let text = fitted(" \(section.header.title) (\(note))", to: width)
    let status = Status(rawValue: section.header.key)
    return style.paint(text, .inverse, status.map(Self.color))
  }

  private func line(of row: BoardRow, isTouched: Bool) -> String {
    let change = row.estimated == row.scheduled ? "     " : row.estimated
    var text = " \(row.scheduled) \(change)  " + fitted(row.flight, to: 8)
    text += fitted(row.origin, to: 5) + fitted(row.status.rawValue, to: 11)
    let rest = max(0, width - text.count)
    text += fitted(row.destination, to: rest * 2 / 5 - 1) + " "
    text += fitted(row.airline, to: rest * 2 / 5 - 1) + " "
    text = fitted(text + row.aircraft, to: width)
    return style.paint(text, isTouched ? .bold : nil, Self.color(of: row.status))
  }

  private static func color(of status: Status) -> Style.Attribute {
    switch status {
    case .boarding: .green
    case .delayed, .diverted: .yellow
    case .scheduled: .plain
    case .departed, .landed: .cyan
    case .cancelled: .red
    }
  }

  /// Divides lines among sections: nobody gets more than it has, the rest is shared.
  static func shares(of lines: Int, among counts: [Int]) -> [Int] {
    var shares = counts.map { _ in 0 }
    var left = max(0, lines)
    while left > 0 {
      let hungry = counts.indices.filter { shares[$0] < counts[$0] }
      guard !hungry.isEmpty else { break }
      let portion = max(1, left / hungry.count)
      for index in hungry where left > 0 {
        let taken = min(portion, counts[index] - shares[index], left)
        shares[index] += taken
        left -= taken
      }
    }
    return shares
  }
}

/// The text with blanks after it, or cut, so that it is that wide.
func fitted(_ text: String, to width: Int) -> String {
  let count = text.count
  guard count > width else { return text + String(repeating: " ", count: width - count) }
  return width < 2 ? String(text.prefix(max(0, width))) : text.prefix(width - 1) + "…"
}

import DeparturesModel
import ListDiffing
import TerminalScreen

/// A view that turns the board into rows of a screen.
///
/// It only arranges and styles the content of the page.
struct BoardView {
  var columns: Int
  var rows: Int

  /// The number of lines for the list, between the lines above and below it.
  var listHeight: Int { max(0, rows - Self.linesAbove - 1) }

  private static let linesAbove = 2

  /// Returns the rows of the screen.
  ///
  /// `prompt` is the text that is being typed, if any.
  func lines(for page: BoardPage, prompt: String? = nil) -> [StyledRow] {
    var lines = [heading(page), StyledRow(summary(page), .dim)]
    var list: [StyledRow] = []
    for (section, count) in zip(page.board, page.counts) {
      list.append(title(of: section, count: count))
      for row in section.rows { list.append(line(of: row, page)) }
    }
    if list.isEmpty {
      list = [StyledRow(page.search.isEmpty ? " No flights." : " No flight has all these words.")]
    }
    lines += list.prefix(listHeight)
    while lines.count < rows - 1 { lines.append(StyledRow()) }
    lines.append(footer(page, prompt))
    return Array(lines.prefix(rows))
  }

  private func heading(_ page: BoardPage) -> StyledRow {
    let last = page.rowsBefore + page.board.rowCount
    let place = page.total == 0 ? "" : "\(page.rowsBefore + 1)-\(last) of \(page.total)"
    let texts = [
      "Departures", "New York", page.day, page.clock, page.pace, "by \(page.grouping)",
      page.search.isEmpty ? "" : "/\(page.search)", place,
    ]
    return StyledRow(texts.filter { !$0.isEmpty }.joined(separator: "  "), .bold)
  }

  /// Returns sums that add up: each flight has left, won't leave, or is still to leave.
  private func summary(_ page: BoardPage) -> String {
    func count(_ status: Status) -> Int { page.soFar[status] ?? 0 }
    let left = count(.departed)
    let ends = [(count(.landed), "landed"), (count(.diverted), "diverted")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    // The numbers in the file may be any.
    let toLeave = count(.scheduled) &- left &- count(.cancelled)
    var text = "\(count(.scheduled)) flights so far: \(toLeave) to leave"
    if let soon = page.leavingSoon { text += " (\(soon) in \(BoardPage.minutesOfSoon) min)" }
    text += ", \(left) departed" + (ends.isEmpty ? "" : " (\(ends.joined(separator: ", ")))")
    return text + ", \(count(.cancelled)) cancelled"
  }

  private func footer(_ page: BoardPage, _ prompt: String?) -> StyledRow {
    if let prompt { return StyledRow([Span(prompt), Span(" ", .inverse)]) }
    if !page.note.isEmpty { return StyledRow(page.note, TextStyle(.yellow)) }
    return HelpView.hints(
      [
        "? keys", "q quit", "s sections", "/ search", "Enter flight", "space pause", "+/- speed",
        "i inspector", "r R rename",
      ], columns: columns)
  }

  private func title(of section: Board.Element, count: Int) -> StyledRow {
    let status = Status(rawValue: section.header.key)
    return StyledRow(
      " \(section.header.title) (\(count))",
      TextStyle(status.flatMap(Self.color), inverse: true))
  }

  private func line(of row: BoardRow, _ page: BoardPage) -> StyledRow {
    let time = row.scheduled.columns
    let change = row.estimated == row.scheduled ? "" : row.estimated
    var text = " \(row.scheduled) " + fitted(change, to: time) + "  " + fitted(row.flight, to: 8)
    text += fitted(row.origin, to: 5) + fitted(row.status.rawValue, to: 11)
    let rest = max(0, columns - text.columns)
    text += fitted(row.destination, to: max(0, rest * 2 / 5 - 1)) + " "
    text += fitted(row.airline, to: max(0, rest * 2 / 5 - 1)) + " "
    let style = TextStyle(Self.color(of: row.status), bold: page.touched.contains(row.id))
    let line = StyledRow(fitted(text + row.aircraft, to: columns), style)
    return row.id == page.chosen ? line.inverted : line
  }

  private static func color(of status: Status) -> TextStyle.Color? {
    switch status {
    case .boarding: .green
    case .delayed, .diverted: .yellow
    case .scheduled: nil
    case .departed, .landed: .cyan
    case .cancelled: .red
    }
  }
}

import TerminalScreen

/// A view that turns the inspector's page into rows of a screen.
struct InspectorView {
  var columns: Int
  var rows: Int

  func lines(for page: InspectorPage, clock: String) -> [StyledRow] {
    var lines = [
      StyledRow("Inspector  \(clock)  the board's subscriptions: \(page.subscriptions)", .bold),
      heading("Lists kept up to date", Self.resultTitles),
    ]
    for result in page.results {
      lines.append(line(result.title, [result.rows, result.models] + Self.numbers(result.work)))
    }
    lines.append(heading("Last commits", Self.commitTitles))
    for commit in page.commits {
      guard lines.count < rows - 1 else { break }
      let title = "\(commit.version) \(commit.clock)  \(commit.rows)  (\(commit.objects))"
      lines.append(line(title, commit.work.map(Self.numbers) ?? []))
    }
    lines = Array(lines.prefix(max(0, rows - 1)))
    while lines.count < rows - 1 { lines.append(StyledRow()) }
    lines.append(
      HelpView.hints(
        [
          "i board", "? keys", "space pause",
          "tested: objects the query looked at; read: queries run again",
        ], columns: columns))
    return Array(lines.prefix(rows))
  }

  private static let work = ["tested", "compared", "changed", "read"]
  private static let resultTitles = ["rows", "models"] + work
  private static let commitTitles = work
  private static let width = 9

  private static func numbers(_ work: WorkCounts) -> [Int] {
    [work.candidates, work.comparisons, work.changes, work.fetches]
  }

  private func heading(_ title: String, _ titles: [String]) -> StyledRow {
    StyledRow(row(title, titles), .inverse)
  }

  private func line(_ title: String, _ numbers: [Int]) -> StyledRow {
    StyledRow(row(title, numbers.map { "\($0)" }))
  }

  /// A title, and as many cells at the right as leave half of the line to it.
  private func row(_ title: String, _ cells: [String]) -> String {
    let cells = cells.prefix(columns / 2 / Self.width)
    let text = fitted(" " + title, to: max(0, columns - cells.count * Self.width))
    return cells.reduce(text) { line, cell in
      line + String(repeating: " ", count: max(0, Self.width - cell.columns)) + cell
    }
  }
}

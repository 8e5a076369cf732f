import TerminalScreen

/// A view that turns the inspector's page into rows of a screen.
struct InspectorView {
  var rows: Int

  func lines(for page: InspectorPage, clock: String) -> [StyledRow] {
    var lines = [
      StyledRow("Inspector  \(clock)", .bold),
      StyledRow(
        "\(page.results.count) live results, \(page.subscriptions) subscriptions of the board", .dim
      ),
    ]
    for result in page.results {
      lines.append(
        StyledRow([
          Span(" " + fitted(result.title, to: 24)),
          Span("\(result.rows) rows, \(result.models) models; \(result.work)", .dim),
        ]))
    }
    lines.append(StyledRow(" Last commits", .inverse))
    for commit in page.commits {
      guard lines.count < rows - 1 else { break }
      lines.append(
        StyledRow([
          Span(
            " " + fitted(commit.version, to: 8) + fitted(commit.clock, to: commit.clock.columns + 2)
          ),
          Span(commit.objects + "  "),
          Span("rows: \(commit.rows)  ", TextStyle(.cyan)),
          Span(commit.cost, .dim),
        ]))
    }
    lines = Array(lines.prefix(max(0, rows - 1)))
    while lines.count < rows - 1 { lines.append(StyledRow()) }
    lines.append(StyledRow("i or Esc board  space pause  +/- speed  q quit", .dim))
    return Array(lines.prefix(rows))
  }
}

import DeparturesModel
import TerminalScreen

/// A view that turns one flight into rows of a screen.
struct DetailView {
  var rows: Int

  func lines(for page: DetailPage, clock: String, note: String) -> [StyledRow] {
    var lines = [StyledRow("Flight \(page.title)  \(clock)", .bold), StyledRow()]
    if page.isGone {
      lines[1] = StyledRow("It has left the board; this is how it was last.", TextStyle(.yellow))
    }
    for field in page.fields {
      lines.append(StyledRow([Span(fitted(field.name, to: 13), .dim), Span(field.text)]))
    }
    lines += [StyledRow(), StyledRow("Since you look", .dim)]
    let space = max(0, rows - lines.count - 1)
    // If there are too many, only the last ones are shown.
    lines += page.history.suffix(space).map { StyledRow(" \($0.clock)  \($0.text)") }
    if page.history.isEmpty, space > 0 { lines.append(StyledRow(" Nothing yet.")) }
    lines = Array(lines.prefix(max(0, rows - 1)))
    while lines.count < rows - 1 { lines.append(StyledRow()) }
    lines.append(
      note.isEmpty
        ? StyledRow("Esc board  r R rename  space pause  +/- speed  q quit", .dim)
        : StyledRow(note, TextStyle(.yellow)))
    return Array(lines.prefix(rows))
  }
}

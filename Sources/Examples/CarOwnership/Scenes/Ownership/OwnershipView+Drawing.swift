import ListDiffing
import TerminalScreen

extension OwnershipView {
  func rows(for size: ScreenSize) -> [StyledRow] {
    if size.columns != drawnColumns {
      page.forgetDrawings()
      drawnColumns = size.columns
    }
    height = max(0, size.rows - 3)
    window.show(page.chosen.map { page.line(of: $0) }, height: height, of: page.lineCount)
    // The title above the first row is visible together with it.
    if height > 1, page.chosen == ListPath(section: 0, row: 0) {
      window.show(0, height: height, of: page.lineCount)
    }
    var rows = [heading]
    rows += mode == .help ? help : list
    rows = Array(rows.prefix(height + 1))
    rows += Array(repeating: StyledRow(), count: height + 1 - rows.count)
    // An error in the input is shown beside the input.
    let asked = [prompt, message.isEmpty ? "" : (prompt.isEmpty ? " " : "  ") + message].joined()
    rows += [StyledRow([Span(asked, .bold)]), status]
    // On a screen of one or two rows, the prompt and the status have priority.
    return Array(rows.suffix(max(0, size.rows)))
  }

  func didDraw(rowsWritten: Int, at time: ContinuousClock.Instant) -> Bool {
    work.end(written: rowsWritten, at: time)
  }

  private var heading: StyledRow {
    let titles = indexTitles.joined(separator: " ")
    return StyledRow(
      [
        Span(" CarOwnership ", TextStyle(.cyan, bold: true, inverse: true)),
        Span("  \(titles)   by \(order.rawValue)   ? keys   q quits", .inverse),
      ], rest: .inverse)
  }

  private var status: StyledRow {
    StyledRow(" \(page.rowCount) \(page.rowCount == 1 ? "row" : "rows"): \(work.text)", .dim)
  }

  private var prompt: String {
    switch mode {
    case .browsing, .help: ""
    case .jumping: " Go to the owners that begin with: "
    case .filtering(let input): " Filter: \(input.text)▏"
    case .renaming(let input, _, _): " The owner's name: \(input.text)▏"
    case .inserting(let form): " \(form.field.rawValue): \(form.input.text)▏"
    }
  }

  private var list: [StyledRow] {
    if page.rowCount == 0 {
      return [
        StyledRow(), StyledRow(filter.isEmpty ? "  No cars. i inserts one." : "  No such car."),
      ]
    }
    return page.lines(window.lines(height: height, of: page.lineCount)).map { line in
      switch line {
      case .title(let section): return title(of: section)
      case .row(let path):
        let row = drawnRow(at: path)
        return path == page.chosen ? row.inverted : row
      }
    }
  }

  private func title(of section: Int) -> StyledRow {
    let content = page.sections[section]
    return StyledRow(" \(content.header) (\(content.rows.count))", TextStyle(.yellow, bold: true))
  }

  /// Returns the stored drawing of a row, or draws the row if it becomes visible for the first
  /// time.
  private func drawnRow(at path: ListPath) -> StyledRow {
    if let row = page.sections[path].drawn { return row }
    let row =
      source?.viewModel(at: path).map { draw($0, columns: drawnColumns) } ?? StyledRow("  –")
    page.keep(row, at: path)
    return row
  }

  func draw(_ viewModel: OwnershipViewModel, columns: Int) -> StyledRow {
    // A narrow screen omits the manufacturer.
    let isNarrow = columns < 44
    let mileageColumns = isNarrow ? 11 : 15
    let rest = max(0, columns - mileageColumns - (isNarrow ? 3 : 5))
    let modelColumns = isNarrow ? rest : rest / 2
    var text = "  " + fitted(viewModel.car.model, to: modelColumns)
    if !isNarrow {
      text += " " + fitted(viewModel.car.manufacturer.name, to: rest - modelColumns) + " "
    }
    let mileage = viewModel.car.mileage
    let padding = String(repeating: " ", count: max(0, mileageColumns - mileage.columns))
    return StyledRow([Span(text), Span(padding + mileage + " ", TextStyle(.green))])
  }

  private var help: [StyledRow] {
    [
      "", "  arrows, j k           the next row, the one before",
      "  Tab, Shift-Tab        the next owner, the one before",
      "  PageUp, PageDown, Home, End", "  g and a letter        to the owners that begin with it",
      "  /                     filter as you type; Escape shows all",
      "  s                     sort by model, manufacturer, mileage",
      "  i                     insert a car", "  e, Enter              edit the mileage",
      "  r                     rename the owner", "  d, Delete             delete the car",
      "  u, U                  undo, redo", "  q                     quit", "",
      "  Any key goes back to the list.",
    ].map { StyledRow($0) }
  }
}

import Testing

@testable import TerminalScreen

@Suite struct CanvasTests {
  private func canvas(columns: Int = 10, rows: Int = 4, isColored: Bool = true) -> Canvas {
    Canvas(size: ScreenSize(columns: columns, rows: rows), isColored: isColored)
  }

  @Test func `At first every row is written, then those that differ`() {
    var canvas = canvas()
    let rows = ["a", "b", "c", "d"].map { StyledRow($0) }
    #expect(canvas.update(to: rows).rowsWritten == 4)
    #expect(canvas.update(to: rows) == Canvas.Update(text: "", rowsWritten: 0))
    var other = rows
    other[2] = StyledRow("x")
    #expect(
      canvas.update(to: other)
        == Canvas.Update(text: "\u{1B}[3;1Hx\u{1B}[K", rowsWritten: 1))
    other[1] = StyledRow("b", .inverse)
    #expect(canvas.update(to: other).rowsWritten == 1)
  }

  @Test func `Rows that lack are empty, and those beyond the screen are nowhere`() {
    var canvas = canvas()
    #expect(canvas.update(to: []).rowsWritten == 4)
    #expect(canvas.update(to: [StyledRow("a")]).rowsWritten == 1)
    let many = (0..<100).map { StyledRow("\($0)") }
    #expect(canvas.update(to: many).rowsWritten == 4)
    #expect(!canvas.update(to: many).text.contains("\u{1B}[5;"))
  }

  @Test func `After another size all is written again`() {
    var canvas = canvas()
    let rows = [StyledRow("a")]
    _ = canvas.update(to: rows)
    canvas.invalidate(size: ScreenSize(columns: 5, rows: 2))
    #expect(canvas.update(to: rows).rowsWritten == 2)
    canvas.invalidate(size: ScreenSize(columns: 0, rows: 0))
    #expect(canvas.update(to: rows).rowsWritten == 0)
  }

  @Test func `A row is cut at the edge, in whatever span that is`() {
    let row: StyledRow = StyledRow([Span("abc", .bold), Span("日本", TextStyle(.red))])
    #expect(row.rendered(columns: 7, isColored: false) == "\u{1B}[1mabc\u{1B}[0m日本")
    #expect(row.rendered(columns: 6, isColored: false) == "\u{1B}[1mabc\u{1B}[0m日…")
    #expect(row.rendered(columns: 5, isColored: true).hasSuffix("\u{1B}[31m…\u{1B}[0m\u{1B}[K"))
    #expect(row.rendered(columns: 2, isColored: false) == "\u{1B}[1ma…\u{1B}[0m")
    #expect(
      StyledRow("ab", .inverse).rendered(columns: 4, isColored: false).contains("  \u{1B}[0m"))
  }

  @Test func `Without colours there is emphasis but no colour`() {
    let row = StyledRow([Span("x", TextStyle(.green, bold: true))])
    #expect(row.rendered(columns: 1, isColored: true) == "\u{1B}[1;32mx\u{1B}[0m")
    #expect(row.rendered(columns: 1, isColored: false) == "\u{1B}[1mx\u{1B}[0m")
    #expect(StyledRow("x", TextStyle(.green)).rendered(columns: 1, isColored: false) == "x")
  }

  @Test func `An escape sequence in a name is not carried out`() {
    let text = StyledRow("a\u{1B}[2Jb").rendered(columns: 10, isColored: true)
    #expect(text == "a·[2Jb\u{1B}[K")
  }
}

import ListDiffing
import TerminalScreen
import Testing

@testable import Departures
@testable import DeparturesModel

struct BoardViewTests {
  private func row(_ id: Int, status: Status = .scheduled) -> BoardRow {
    BoardRow(
      id: id, scheduled: "05:30", estimated: "05:45", flight: "UA \(id)",
      airline: "United Air Lines Inc.", origin: "EWR", destination: "Chicago Ohare Intl",
      aircraft: "BOEING 737-824", status: status)
  }

  private func page(_ counts: [Int]) -> BoardPage {
    let board = counts.enumerated().map { index, count in
      ListSection(
        header: BoardHeader(key: "\(index)", title: "Section \(index)"),
        rows: (0..<count).map { row(index * 100 + $0) })
    }
    var page = BoardPage(day: "2013-02-08", clock: "05:30", board: board, touched: [0])
    page.counts = counts
    page.total = counts.reduce(0, +)
    page.grouping = "status"
    page.pace = "5 min/s"
    return page
  }

  @Test(arguments: [(20, 6), (40, 10), (80, 24), (200, 60), (1, 1), (10, 2), (80, 3)])
  func `Rows fill the screen, whatever its size`(columns: Int, rows: Int) {
    for counts in [[], [1], [3, 50], [400, 1, 2, 3, 4, 5, 6]] {
      let lines = BoardView(columns: columns, rows: rows).lines(for: page(counts))
      #expect(lines.count == rows)
    }
  }

  @Test func `A row says what it knows, and the chosen one is inverse`() {
    var page = page([2])
    page.chosen = 1
    let lines = BoardView(columns: 100, rows: 24).lines(for: page)
    #expect(
      lines[0].text == "Departures  New York  2013-02-08  05:30  5 min/s  by status  1-2 of 2")
    #expect(lines[2].text == " Section 0 (2)")
    #expect(lines[3].text.hasPrefix(" 05:30 05:45  UA 0    EWR  scheduled  Chicago Ohare Intl"))
    #expect(lines[3].text.contains("United Air Lines"))
    #expect(lines[3].spans.allSatisfy { $0.style.isBold && !$0.style.isInverse })
    #expect(lines[4].spans.allSatisfy { !$0.style.isBold && $0.style.isInverse })
  }

  @Test func `The sums add up: each flight has left, won't, or is still to leave`() {
    var page = page([2])
    page.soFar = [.scheduled: 20, .boarding: 9, .departed: 7, .landed: 4, .cancelled: 3]
    page.leavingSoon = 2
    #expect(
      BoardView(columns: 100, rows: 24).lines(for: page)[1].text
        == "20 flights so far: 10 to leave (2 in 30 min), 7 departed (4 landed), 3 cancelled")
  }

  @Test(arguments: [(40, 10), (80, 24), (30, 8), (120, 50)])
  func `All keys are on a screen of any usual size, and none is cut`(columns: Int, rows: Int) {
    let size = ScreenSize(columns: columns, rows: rows)
    let text = HelpView.lines(size: size).map(\.text).joined(separator: "\n")
    if columns >= 40 {
      for key in [
        "quit", "rename airline", "rename aircraft", "inspector", "Esc back", "first, last",
      ] {
        let words = text.split(separator: " ").joined(separator: " ")
        #expect(words.contains(key), "\(columns): \(text)")
      }
    }
    #expect(HelpView.lines(size: size).count == rows)
    #expect(HelpView.lines(size: size).allSatisfy { $0.text.columns <= columns })
    let footer = BoardView(columns: columns, rows: rows).lines(for: page([1])).last?.text ?? ""
    #expect(footer.hasPrefix("? keys  q quit"))
    #expect(footer.columns <= columns)
  }

  @Test func `The last row is what is typed, or a note, or the keys`() {
    var page = page([2])
    let view = BoardView(columns: 100, rows: 24)
    #expect(view.lines(for: page)[23].text.contains("q quit"))
    page.note = "Going on after 05:00."
    #expect(view.lines(for: page)[23].text == page.note)
    #expect(view.lines(for: page, prompt: "search: jet")[23].text == "search: jet ")
  }

  @Test func `A difference of boards is reported by its first path`() throws {
    let board = page([2, 3]).board
    #expect(BoardDifference(expected: board, found: board) == nil)
    var other = board
    other[1].rows[2].estimated = "06:00"
    let difference = try #require(BoardDifference(expected: board, found: other))
    #expect(difference.place == "row 1.2")
    other = board
    other[1].rows.removeLast()
    #expect(BoardDifference(expected: board, found: other)?.found == "nothing")
    other = board
    other.removeLast()
    #expect(BoardDifference(expected: board, found: other)?.place == "section 1")
  }
}

import ListDiffing
import Testing

@testable import Departures

struct ScreenTests {
  private let plain = Style(isColored: false)

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
    return BoardPage(day: "2013-02-08", clock: "05:30", board: board, touched: [0])
  }

  @Test(arguments: [(20, 6), (40, 10), (80, 24), (200, 60)])
  func `Lines fit the terminal, whatever its size`(width: Int, height: Int) {
    for counts in [[], [1], [3, 50], [400, 1, 2, 3, 4, 5, 6]] {
      let lines = Screen(width: width, height: height, style: plain).lines(for: page(counts))
      #expect(lines.count <= height)
      #expect(lines.allSatisfy { $0.count <= width })
    }
  }

  @Test func `Rows say what they know`() {
    let lines = Screen(width: 100, height: 24, style: plain).lines(for: page([1]))
    #expect(lines[0].hasPrefix("Departures  New York  2013-02-08  05:30"))
    #expect(lines[2].hasPrefix(" Section 0 (1)"))
    #expect(lines[3].hasPrefix(" 05:30 05:45  UA 0    EWR  scheduled  Chicago Ohare Intl"))
    #expect(lines[3].contains("United Air Lines"))
  }

  @Test func `Without colours there is no escape sequence`() {
    let painted = Style(isColored: true).paint("x", .bold, .red)
    #expect(painted == "\u{1B}[1;31mx\u{1B}[0m")
    #expect(plain.paint("x", .bold, .red) == "x")
  }

  @Test func `Lines are shared fairly and none is lost`() {
    #expect(Screen.shares(of: 10, among: [2, 2]) == [2, 2])
    #expect(Screen.shares(of: 10, among: [100, 100]) == [5, 5])
    #expect(Screen.shares(of: 10, among: [1, 100, 2]) == [1, 7, 2])
    #expect(Screen.shares(of: 2, among: [9, 9, 9]) == [1, 1, 0])
    #expect(Screen.shares(of: -3, among: [9]) == [0])
    for lines in 0...40 {
      let shares = Screen.shares(of: lines, among: [7, 0, 1, 30, 4])
      #expect(shares.reduce(0, +) == min(lines, 42))
    }
  }

  @Test func `A difference of boards is told by its first path`() throws {
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

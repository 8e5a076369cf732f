import ListDiffing
import Signalbox

extension BoardPresenter {
  /// How many rows there are, in the window or not.
  var rowCount: Int { overview?.count ?? departures.snapshot.count }

  /// How many rows each section has, in the window or not.
  var sectionCounts: [Int] {
    overview?.snapshot.rowCounts ?? departures.snapshot.rowCounts
  }

  /// What a view of some height shows, with the clock at a minute or at the last commit.
  ///
  /// The chosen row stays the same flight as long as that is seen.
  ///
  /// - Parameters:
  ///   - minute: the time on the clock, or nil for that of the last commit.
  ///   - height: the lines for sections and rows.
  /// - Returns: what the view shows.
  /// - Throws: what reading the rows of another window throws.
  func page(at minute: Minute? = nil, height: Int) throws -> BoardPage {
    if let chosen, let position = position(of: chosen.id), chosen.seen.contains(position) {
      scroll.choose(position)
    }
    let counts = sectionCounts
    let seen = scroll.fit(height: height, counts: counts.filter { $0 > 0 })
    try reveal(seen)
    let (board, shownCounts) = rows(at: seen, counts)
    var page = BoardPage(
      day: day, clock: minute.map(clock) ?? clock, board: board, touched: touched, soFar: soFar)
    page.grouping = request.grouping.rawValue
    page.search = request.search
    page.counts = shownCounts
    page.rowsBefore = seen.lowerBound
    page.total = rowCount
    let rows = board.flatMap(\.rows)
    let place = scroll.chosen - seen.lowerBound
    chosen = rows.indices.contains(place) ? (rows[place].id, seen) : nil
    page.chosen = chosen?.id
    return page
  }

  /// Moves the window so that some rows are in it.
  private func reveal(_ rows: Range<Int>) throws {
    guard let windowLimit, !rows.isEmpty else { return }
    let before = departures.snapshot.rowsBefore
    let window = before..<(before + departures.snapshot.count)
    guard rows.lowerBound < window.lowerBound || rows.upperBound > window.upperBound else { return }
    let limit = max(windowLimit, 2 * rows.count)
    try departures.setWindow(
      offset: max(0, rows.lowerBound - (limit - rows.count) / 2), limit: limit)
  }

  /// The position of a row among all, if it is in the window.
  func position(of id: BoardRow.ID) -> Int? {
    let snapshot = departures.snapshot
    guard let path = snapshot.path(for: id) else { return nil }
    return snapshot.rowsBefore + snapshot.rowCounts.prefix(path.section).reduce(path.row, +)
  }

  /// The rows at some positions, in their sections, and how many rows those sections have.
  private func rows(at positions: Range<Int>, _ counts: [Int]) -> (Board, [Int]) {
    let snapshot = departures.snapshot
    // The window begins in the section that holds as many rows before it.
    var section = 0
    var start = 0
    while section < counts.count, start + counts[section] <= snapshot.rowsBefore {
      start += counts[section]
      section += 1
    }
    var position = snapshot.rowsBefore
    var board: Board = []
    var shown: [Int] = []
    for (offset, info) in snapshot.sections.enumerated() {
      let rows = positions.clamped(to: position..<(position + info.count))
      if !rows.isEmpty {
        board.append(
          ListSection(
            header: BoardHeader(info),
            rows: rows.map { BoardRow(info[$0 - position], clocks: clocks) }))
        shown.append(section + offset < counts.count ? counts[section + offset] : info.count)
      }
      position += info.count
    }
    return (board, shown)
  }
}

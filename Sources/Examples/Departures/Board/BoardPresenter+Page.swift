import DeparturesModel
import ListDiffing
import Signalbox

extension BoardPresenter {
  /// The number of all rows, inside and outside the window.
  var rowCount: Int { overview?.count ?? departures.snapshot.count }

  /// The number of rows of each section, inside and outside the window.
  var sectionCounts: [Int] {
    overview?.snapshot.rowCounts ?? departures.snapshot.rowCounts
  }

  /// Returns the page for a view of some height, at the given minute or at the last commit.
  ///
  /// The chosen row stays the same flight as long as it is visible.
  ///
  /// - Parameters:
  ///   - minute: The time on the clock, or nil for that of the last commit.
  ///   - height: The number of lines for sections and rows.
  /// - Returns: The page that the view shows.
  /// - Throws: The errors of reading the rows of another window.
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

  /// Moves the window so that it contains some rows.
  private func reveal(_ rows: Range<Int>) throws {
    guard let windowLimit, !rows.isEmpty else { return }
    let before = departures.snapshot.rowsBefore
    let window = before..<(before + departures.snapshot.count)
    guard rows.lowerBound < window.lowerBound || rows.upperBound > window.upperBound else { return }
    let limit = max(windowLimit, 2 * rows.count)
    try departures.setWindow(
      offset: max(0, rows.lowerBound - (limit - rows.count) / 2), limit: limit)
  }

  /// Returns the position of a row among all rows, if it is in the window.
  func position(of id: BoardRow.ID) -> Int? {
    let snapshot = departures.snapshot
    guard let path = snapshot.path(for: id) else { return nil }
    return snapshot.rowsBefore + snapshot.rowCounts.prefix(path.section).reduce(path.row, +)
  }

  /// Returns the rows at some positions, in their sections, and the number of rows of these
  /// sections.
  private func rows(at positions: Range<Int>, _ counts: [Int]) -> (Board, [Int]) {
    let snapshot = departures.snapshot
    // The window begins in the section that contains the position `rowsBefore`.
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

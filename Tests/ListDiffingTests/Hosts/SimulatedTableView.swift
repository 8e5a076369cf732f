import ListDiffing

/// A table view of UIKit. The rules of ``SimulatedCollectionView`` are its rules too, where its own
/// words are:
///
/// - "attempt to delete row 3 from section 0 which only contains 2 rows before the update", and so
///   for inserts after the update, for moves and for sections.
/// - "attempt to perform an insert and a move to the same index path", and so for a delete and a
///   move from it.
/// - "The number of rows contained in an existing section after the update must be equal to the
///   number of rows contained in that section before the update, plus or minus the number of rows
///   inserted or deleted from that section and plus or minus the number of rows moved into or out
///   of that section."
/// - "cannot move a row into a newly inserted section", "cannot move a row from a deleted section".
/// - Rows that change in a section that moves end up wrong (Differ #29, Bento #51); it takes none
///   here.
/// - A row can't be reloaded in a batch that moves its section (openradar 27041784); no pass
///   reloads.
///
/// What differs: a header has no reload of its own. Its section is reloaded, and all rows of it are
/// drawn anew. A row is then not reloaded a second time.
struct SimulatedTableView: SimulatedHost {
  private var display: BatchDisplay

  init(showing list: [Section]) {
    display = BatchDisplay(list)
  }

  var drawn: [Section] { display.drawn }

  mutating func carryOut(_ pass: ListPresentation.Pass, data: [Section]) throws(HostViolation) {
    try display.carryOut(pass, data: data)
  }

  mutating func reload(
    rows: [ListPath], headers: [Int], data: [Section]
  ) throws(HostViolation) {
    try display.redraw(rows: rows, headers: headers, data: data)
    let rows = headers.flatMap { section in data[section].rows.indices.map { path(section, $0) } }
    try display.redraw(rows: rows, headers: [], data: data)
  }
}

import ListDiffing

/// A collection view of UIKit, by its published rules and by those that others found out.
///
/// - Deletes and the origins of moves are positions in the list before; inserts and the targets of
///   moves are positions in the list after. None is outside its list, and none is named twice.
/// - The data change inside the batch, neither before it nor after it.
/// - The sections after are those before, less those deleted, plus those inserted; and so for the
///   rows of each section, those that move out and in included.
/// - No row is named in a section that is deleted or inserted, also not as a move.
/// - No row is inserted, deleted or moved in a section that moves (IGListKit #691).
/// - No move goes to where it comes from (openradar 48941906).
/// - What moves, or is in a section that moves, isn't drawn anew. Reloads have to wait until the
///   batch is over (IGListKit #690); they name nothing twice.
///
/// A header can be drawn anew by itself.
struct SimulatedCollectionView: SimulatedHost {
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
  }
}

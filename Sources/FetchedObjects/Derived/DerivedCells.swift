internal import ListDiffing

/// A derived list's rows for one section of its source.
///
/// The section is visible if it includes a row, or if it stays when it is empty.
struct DerivedCells<Row: Sendable>: Keepable {
  var header: ListHeader
  var cells: KeptTree<DerivedCell<Row>>

  var isKept: Bool { cells.keptCount > 0 || header.staysWhenEmpty }
}

/// A derived list's rows for one section of its source.
///
/// The section is visible if it includes a row, or if it stays when it is empty.
struct DerivedCells<Row: Sendable>: Includable {
  var header: ListHeader
  var cells: CountedTree<DerivedCell<Row>>

  var isIncluded: Bool { cells.includedCount > 0 || header.staysWhenEmpty }
}

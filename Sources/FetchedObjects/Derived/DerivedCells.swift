internal import ListDiffing

/// What a derived list makes of a section of its source; it is seen if there is anything in it.
struct DerivedCells<Row: Sendable>: Keepable {
  var header: ListHeader
  var cells: KeptTree<DerivedCell<Row>>

  var isKept: Bool { cells.keptCount > 0 || header.staysWhenEmpty }
}

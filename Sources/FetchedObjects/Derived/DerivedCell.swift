internal import ListDiffing

/// A derived list's row for one row of its source, or none.
struct DerivedCell<Row: Sendable>: Keepable {
  var row: Row?

  var isKept: Bool { row != nil }
}

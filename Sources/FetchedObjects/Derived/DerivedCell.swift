internal import ListDiffing

/// What a derived list makes of a row of its source: a row of its own, or nothing.
struct DerivedCell<Row: Sendable>: Keepable {
  var row: Row?

  var isKept: Bool { row != nil }
}

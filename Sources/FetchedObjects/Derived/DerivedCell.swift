/// A derived list's row for one row of its source, or none.
struct DerivedCell<Row: Sendable>: Includable {
  var row: Row?

  var isIncluded: Bool { row != nil }
}

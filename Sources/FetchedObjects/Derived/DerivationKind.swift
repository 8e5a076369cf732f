/// The operation by which a list is made of another list's rows.
enum DerivationKind: Sendable {
  /// One row for each row.
  case map
  /// The same row, or none.
  case filter
  /// A new row, or none.
  case compactMap
}

internal import ListDiffing
internal import Locking
internal import Relays

/// What a list makes of the rows of another.
enum DerivationKind: Sendable {
  /// A row of each.
  case map
  /// The row as it is, or nothing.
  case filter
  /// A row or nothing.
  case compactMap
}

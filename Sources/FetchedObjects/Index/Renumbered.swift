internal import EntityStore
internal import ListDiffing
internal import Locking

/// The objects that have a row number which may have been another's before.
struct Renumbered: Sendable, Equatable {
  var ids: Set<StoredValue> = []
  var numbers: Set<Int64> = []
  /// Whether any object may be one, since it isn't known what has happened.
  var mayBeAny = false

  func contains(_ id: StoredValue) -> Bool { mayBeAny || ids.contains(id) }

  func union(_ other: Renumbered) -> Renumbered {
    Renumbered(
      ids: ids.union(other.ids), numbers: numbers.union(other.numbers),
      mayBeAny: mayBeAny || other.mayBeAny)
  }
}

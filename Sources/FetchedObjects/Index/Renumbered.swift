internal import EntityStore
internal import ListDiffing
internal import Locking

/// The objects whose row number may have been another object's before.
struct Renumbered: Sendable, Equatable {
  var ids: Set<StoredValue> = []
  var numbers: Set<Int64> = []
  /// True if any object may be one of them, because the changes aren't known.
  var mayBeAny = false

  /// Returns true if an object may be one of them; its id is made only if there are any.
  func contains(_ id: @autoclosure () -> StoredValue) -> Bool {
    mayBeAny || !ids.isEmpty && ids.contains(id())
  }

  func union(_ other: Renumbered) -> Renumbered {
    Renumbered(
      ids: ids.union(other.ids), numbers: numbers.union(other.numbers),
      mayBeAny: mayBeAny || other.mayBeAny)
  }
}

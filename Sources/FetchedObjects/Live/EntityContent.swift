internal import EntityStore
internal import Locking
internal import Relays

extension EntityContent: PendingValue {}

/// An observed object in one version.
struct EntityContent: Sendable {
  /// The object, or as it was last; nil if it has never been there.
  let row: ResultRow?
  let state: ObservedEntityState

  func differs(from other: EntityContent) -> Bool {
    if state != other.state { return true }
    guard let row, let old = other.row else { return false }
    return row.differs(from: old)
  }
}

extension EntityContent: ObservedContent {}

/// An observed object at one version.
struct EntityContent: Sendable {
  /// The object, or its last row if it has been deleted; nil if it has never existed.
  let row: ResultRow?
  let state: ObservedEntityState

  func differs(from other: EntityContent) -> Bool {
    if state != other.state { return true }
    guard let row, let old = other.row else { return false }
    return row.differs(from: old)
  }
}

internal import EntityStore

/// One row that a commit changes in a result.
struct ResultChange: Sendable {
  let id: StoredValue
  /// The slot of the row, if the result keeps rows and had this one before the commit.
  let slot: Int?
  /// The row before the commit, or nil if it wasn't in the result.
  let old: ResultRow?
  /// The row after the commit, or nil if it is no longer in the result.
  let new: ResultRow?
}

extension ResultChange {
  /// Creates the change of a row, or returns nil if it makes no difference.
  @inline(__always)
  init?(of id: StoredValue, slot: Int?, old: ResultRow?, new: ResultRow?) {
    if let old {
      if let new, !new.differs(from: old) { return nil }
    } else if new == nil {
      return nil
    }
    self.init(id: id, slot: slot, old: old, new: new)
  }
}

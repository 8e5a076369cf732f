@_spi(Storage) internal import EntityStore

/// A row that a window stays around, with some rows before it and after it.
struct WindowAnchor: Sendable {
  var id: StoredValue
  /// The maximum number of rows before it.
  let before: Int
  /// The maximum number of rows after it.
  let after: Int
  /// The row, or its last version if the result has become empty; nil before it is found.
  private(set) var row: ResultRow?

  init(id: StoredValue, before: Int, after: Int) {
    (self.id, self.before, self.after) = (id, before, after)
  }

  /// Keeps a version of the row.
  mutating func note(_ row: ResultRow) { self.row = row }
}

extension WindowAnchor: Equatable {
  static func == (a: WindowAnchor, b: WindowAnchor) -> Bool {
    a.id == b.id && a.before == b.before && a.after == b.after
  }
}

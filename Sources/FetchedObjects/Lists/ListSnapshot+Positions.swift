public import ListDiffing
internal import Locking

extension ListSnapshot {
  /// Returns the path of the row at a position, counted over all sections.
  ///
  /// - Precondition: A row exists at that position.
  /// - Complexity: O(log *s*) where *s* is the number of sections, or O(*s* log *s*) in a derived
  ///   list.
  public func path(at position: Int) -> ListPath {
    let count = count
    mustHold(
      position >= 0 && position < count, "There is no row \(position); there are \(count)")
    return content.path(ofPosition: position)
  }

  /// Returns the number of rows before the one at a path, counted over all sections.
  ///
  /// - Precondition: The path is in the snapshot.
  /// - Complexity: O(log *s*) where *s* is the number of sections, or O(*s* log *s*) in a derived
  ///   list.
  public func position(of path: ListPath) -> Int {
    let isContained = contains(path)
    mustHold(isContained, "There is no row at \(path); the snapshot has \(rowCounts) rows")
    return content.position(of: path)
  }
}

extension ListContent {
  func path(ofPosition position: Int) -> ListPath {
    var (section, row) = (0, position)
    while row >= rowCount(section) {
      row -= rowCount(section)
      section += 1
    }
    return ListPath(section: section, row: row)
  }

  func position(of path: ListPath) -> Int {
    (0..<path.section).reduce(path.row) { $0 + rowCount($1) }
  }
}

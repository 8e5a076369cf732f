internal import FetchedObjects
internal import Locking

/// The rows of one version of a shape, for all clients that begin, in parts that are encoded once.
final class ShapeSnapshot: Sendable {
  let cursor: FeedCursor
  private let step: KeyedStep
  private let partLimit: Int
  private let parts = Locked<[Int: [UInt8]]>([:])

  init(_ page: ShapePage, partLimit: Int) {
    cursor = page.cursor
    step = page.snapshot
    self.partLimit = partLimit
  }

  /// Returns the rows from a position on, as elements of an array in JSON, and the position after
  /// them, or 0 after the last row.
  ///
  /// Two threads that ask for a new part at the same moment may both make it.
  func part(from start: Int) -> (rows: [UInt8], next: Int) {
    // A client may ask for any position, and a sum with a greater one may not fit.
    if start >= step.rowCount { return ([], 0) }
    let end = start + min(partLimit, step.rowCount - start)
    let next = end == step.rowCount ? 0 : end
    if let made = parts.withLock({ $0[start] }) { return (made, next) }
    var rows: [UInt8] = []
    for row in step.rows(in: start..<end) {
      if !rows.isEmpty { rows.append(UInt8(ascii: ",")) }
      rows.append(contentsOf: ShapePage.message("insert", row.id, row.fields, cursor.version))
    }
    parts.withLock { $0[start] = rows }
    return (rows, next)
  }
}

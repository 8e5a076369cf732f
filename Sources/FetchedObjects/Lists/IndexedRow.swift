public import ListDiffing

/// A row of an ``IndexedObjectsModel``, of which only the storage's row number is known.
///
///     let row = index.snapshot[path]
///     let car = try index.object(at: path)  // reads the object
///
/// Rows are the same if their numbers are equal. Their content isn't known, so no two of them
/// count as equal in content: a row that may have changed is an update.
public struct IndexedRow: Diffable, Hashable, Sendable {
  let number: Int64

  /// The row itself.
  public var diffIdentifier: IndexedRow { self }

  /// Returns false, because the content of a row isn't known.
  public func isContentEqual(to other: IndexedRow) -> Bool { false }
}

extension IndexedRow: CustomStringConvertible {
  /// The row number, as in `#17`.
  public var description: String { "#\(number)" }
}

/// The change of one row, with only the paths that its kind has.
///
///     let change = RowChange.move(
///       from: ListPath(section: 0, row: 2), to: ListPath(section: 0, row: 0))
///     change.kind  // .move
///     RowChange.insert(at: ListPath(section: 0, row: 0)).oldPath  // nil
///
/// Old paths refer to the list before, new paths to the list after.
public enum RowChange: Hashable, Sendable, Codable {
  /// A row was inserted at a new path.
  case insert(at: ListPath)

  /// A row was deleted from an old path.
  case delete(from: ListPath)

  /// A row changed its content.
  ///
  /// The paths differ if rows above it were inserted or deleted.
  case update(from: ListPath, to: ListPath)

  /// A row changed its position relative to the others, and perhaps its content.
  case move(from: ListPath, to: ListPath)

  /// The kind of the change.
  public var kind: ChangeKind {
    switch self {
    case .insert: .insert
    case .delete: .delete
    case .update: .update
    case .move: .move
    }
  }

  /// The path before the change, or nil for an insert.
  public var oldPath: ListPath? {
    switch self {
    case .insert: nil
    case .delete(let old), .update(let old, _), .move(let old, _): old
    }
  }

  /// The path after the change, or nil for a delete.
  public var newPath: ListPath? {
    switch self {
    case .delete: nil
    case .insert(let new), .update(_, let new), .move(_, let new): new
    }
  }
}

extension RowChange: CustomStringConvertible {
  /// The kind and the paths, as in "move 0.2 → 0.0".
  public var description: String {
    switch self {
    case .insert(let new): "insert \(new)"
    case .delete(let old): "delete \(old)"
    case .update(let old, let new): "update \(old) → \(new)"
    case .move(let old, let new): "move \(old) → \(new)"
    }
  }
}

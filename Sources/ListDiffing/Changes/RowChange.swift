/// The change of one row, with the paths that its kind has and no others.
///
///     let change = RowChange.move(from: ListPath(section: 0, row: 2), to: ListPath(section: 0, row: 0))
///     change.kind  // .move
///     RowChange.insert(at: ListPath(section: 0, row: 0)).oldPath  // nil
///
/// Old paths refer to the list before, new paths to the list after.
public enum RowChange: Hashable, Sendable, Codable {
  /// A row came and is at a new path.
  case insert(at: ListPath)

  /// A row went and was at an old path.
  case delete(from: ListPath)

  /// A row changed its content. The paths differ where rows above it came or went.
  case update(from: ListPath, to: ListPath)

  /// A row changed its place among the others, and perhaps its content.
  case move(from: ListPath, to: ListPath)

  /// What happened to the row.
  public var kind: ChangeKind {
    switch self {
    case .insert: .insert
    case .delete: .delete
    case .update: .update
    case .move: .move
    }
  }

  /// The path before the change; nil for an insert.
  public var oldPath: ListPath? {
    switch self {
    case .insert: nil
    case .delete(let old), .update(let old, _), .move(let old, _): old
    }
  }

  /// The path after the change; nil for a delete.
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

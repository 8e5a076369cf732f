/// The change of one section, with only the positions that its kind has.
///
///     let change = SectionChange.move(from: 2, to: 0)
///     change.kind  // .move
///     SectionChange.insert(at: 0).oldPosition  // nil
///
/// Old positions refer to the list before, new positions to the list after.
public enum SectionChange: Hashable, Sendable, Codable {
  /// A section was inserted at a new position.
  case insert(at: Int)

  /// A section was deleted from an old position.
  case delete(from: Int)

  /// A section has a new header.
  ///
  /// The positions differ if sections before it were inserted or deleted.
  case update(from: Int, to: Int)

  /// A section changed its position relative to the others, and perhaps its header.
  case move(from: Int, to: Int)

  /// The kind of the change.
  public var kind: ChangeKind {
    switch self {
    case .insert: .insert
    case .delete: .delete
    case .update: .update
    case .move: .move
    }
  }

  /// The position before the change, or nil for an insert.
  public var oldPosition: Int? {
    switch self {
    case .insert: nil
    case .delete(let old), .update(let old, _), .move(let old, _): old
    }
  }

  /// The position after the change, or nil for a delete.
  public var newPosition: Int? {
    switch self {
    case .delete: nil
    case .insert(let new), .update(_, let new), .move(_, let new): new
    }
  }
}

extension SectionChange: CustomStringConvertible {
  /// The kind and the positions, as in "move section 2 → 0".
  public var description: String {
    switch self {
    case .insert(let new): "insert section \(new)"
    case .delete(let old): "delete section \(old)"
    case .update(let old, let new): "update section \(old) → \(new)"
    case .move(let old, let new): "move section \(old) → \(new)"
    }
  }
}

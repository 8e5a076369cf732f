/// The change of one row or section, with only the positions that its kind has.
///
///     let change = RowChange.move(
///       from: ListPath(section: 0, row: 2), to: ListPath(section: 0, row: 0))
///     change.kind  // .move
///     SectionChange.insert(at: 0).oldPosition  // nil
///
/// The position of a row is a ``ListPath``, that of a section a number. Old positions refer to the
/// list before, new positions to the list after.
public enum ElementChange<Position> {
  /// A row or section was inserted at a new position.
  case insert(at: Position)

  /// A row or section was deleted from an old position.
  case delete(from: Position)

  /// A row changed its content, or a section has a new header.
  ///
  /// The positions differ if elements before it were inserted or deleted.
  case update(from: Position, to: Position)

  /// A row or section changed its position relative to the others, and perhaps its content.
  case move(from: Position, to: Position)

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
  public var oldPosition: Position? {
    switch self {
    case .insert: nil
    case .delete(let old), .update(let old, _), .move(let old, _): old
    }
  }

  /// The position after the change, or nil for a delete.
  public var newPosition: Position? {
    switch self {
    case .delete: nil
    case .insert(let new), .update(_, let new), .move(_, let new): new
    }
  }
}

/// The change of one row.
public typealias RowChange = ElementChange<ListPath>

/// The change of one section.
public typealias SectionChange = ElementChange<Int>

extension ElementChange: Equatable where Position: Equatable {}
extension ElementChange: Hashable where Position: Hashable {}
extension ElementChange: Sendable where Position: Sendable {}
extension ElementChange: Encodable where Position: Encodable {}
extension ElementChange: Decodable where Position: Decodable {}

extension ElementChange: CustomStringConvertible {
  /// The kind and the positions, as in "move 0.2 → 0.0", or "move section 2 → 0".
  public var description: String {
    let element = Position.self == Int.self ? "section " : ""
    return switch self {
    case .insert(let new): "insert \(element)\(new)"
    case .delete(let old): "delete \(element)\(old)"
    case .update(let old, let new): "update \(element)\(old) → \(new)"
    case .move(let old, let new): "move \(element)\(old) → \(new)"
    }
  }
}

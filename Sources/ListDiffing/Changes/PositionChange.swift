/// The position of a row or section before a change, and its position after it.
///
///     let change = PositionChange(
///       old: ListPath(section: 0, row: 2), new: ListPath(section: 0, row: 0))
///     print(change)  // 0.2 → 0.0
///
/// Moves and updates of rows have positions of type ``ListPath``. Those of sections have `Int`.
public struct PositionChange<Position> {
  /// The position in the list before.
  public var old: Position

  /// The position in the list after.
  public var new: Position

  /// Creates a change from an old position to a new one.
  @inlinable
  public init(old: Position, new: Position) {
    self.old = old
    self.new = new
  }

  /// The change from the new position to the old one.
  @inlinable
  public var inverted: PositionChange { PositionChange(old: new, new: old) }
}

extension PositionChange: Equatable where Position: Equatable {}
extension PositionChange: Hashable where Position: Hashable {}
extension PositionChange: Sendable where Position: Sendable {}
extension PositionChange: Encodable where Position: Encodable {}
extension PositionChange: Decodable where Position: Decodable {}

extension PositionChange: CustomStringConvertible {
  /// Both positions, as in "0.2 → 0.0".
  public var description: String { "\(old) → \(new)" }
}

/// The kind of a change of a row.
///
///     ChangeKind.allCases  // insert, delete, move, update
///     ChangeKind(rawValue: "move")  // .move
public enum ChangeKind: String, CaseIterable, Hashable, Sendable, Codable {
  /// The row was inserted.
  case insert

  /// The row was deleted.
  case delete

  /// The row changed its position relative to the others, and perhaps its content.
  case move

  /// The row changed its content and kept its position relative to the others.
  case update
}

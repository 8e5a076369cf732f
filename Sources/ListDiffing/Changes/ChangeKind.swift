/// What can happen to a row.
///
///     ChangeKind.allCases  // insert, delete, move, update
///     ChangeKind(rawValue: "move")  // .move
public enum ChangeKind: String, CaseIterable, Hashable, Sendable, Codable {
  /// The row came.
  case insert

  /// The row went.
  case delete

  /// The row changed its place among the others, and perhaps its content.
  case move

  /// The row changed its content and kept its place among the others.
  case update
}

/// How far a migration has come.
///
/// A step is reported when it begins, after each few thousand rows, and when it is done.
public struct MigrationProgress: Sendable, Hashable {
  /// The name of the migration, or nil for a change that needs no code.
  public let migration: String?
  /// The name of the entity whose table is changed.
  public let entity: String
  /// What is done to it, for example "rewrite" or "add firstName".
  public let step: String
  /// How many of its rows are done.
  public let completed: Int
  /// How many rows there are to do, 0 for a step that takes no longer for many rows.
  public let total: Int

  /// From 0 to 1 of the step; 1 for one that takes no longer for many rows.
  public var fraction: Double { total == 0 ? 1 : Double(completed) / Double(total) }
}

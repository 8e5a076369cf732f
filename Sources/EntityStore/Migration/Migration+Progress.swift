extension Migration {
  /// The progress of a migration.
  ///
  ///     let store = try Store(
  ///       .sqlite(path: path, progress: { print($0.step, $0.fraction) }), entities: [Car.self])
  ///
  /// A step is reported when it begins, after each few thousand rows, and when it is done.
  public struct Progress: Sendable, Hashable {
    /// The name of the migration, or nil for a change that needs no code.
    public let migration: String?
    /// The name of the entity whose table is changed.
    public let entity: String
    /// The change that is made, for example "rewrite" or "add firstName".
    public let step: String
    /// The number of rows that are done.
    public let completed: Int
    /// The number of rows to do, or 0 for a step that takes no longer for many rows.
    public let total: Int

    /// The fraction of the step that is done, from 0 to 1.
    ///
    /// It is 1 for a step that takes no longer for many rows.
    public var fraction: Double { total == 0 ? 1 : Double(completed) / Double(total) }
  }
}

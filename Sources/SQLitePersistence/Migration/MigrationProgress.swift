internal import EntityStore

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

/// Reports progress, and ends a migration when told to.
final class MigrationReporter {
  private let path: String
  private let report: (@Sendable (MigrationProgress) throws -> Void)?
  /// The named migration that runs.
  var migration: String?
  /// Set when the app has cancelled: a migration that catches the error goes no further.
  private var failure: StoreError?

  init(path: String, _ report: (@Sendable (MigrationProgress) throws -> Void)?) {
    self.path = path
    self.report = report
  }

  func report(_ step: String, _ entity: String, _ completed: Int = 0, of total: Int = 0) throws {
    try check()
    guard let report else { return }
    do {
      try report(
        MigrationProgress(
          migration: migration, entity: entity, step: step, completed: completed,
          total: total))
    } catch {
      let failure = StoreError.storage(
        StorageFault(
          .cancelled,
          "\(path): the migration was cancelled at the step \"\(step)\" of \(entity) (\(error)); the "
            + "file is as it was"))
      self.failure = failure
      throw failure
    }
  }

  /// Throws if the app has cancelled.
  func check() throws { if let failure { throw failure } }
}

internal import EntityStore

/// A reporter of progress, which ends a migration that the app cancels.
final class MigrationReporter {
  private let path: String
  private let report: (@Sendable (MigrationProgress) throws -> Void)?
  /// The named migration that is running.
  var migration: String?
  /// The error, if the app has cancelled.
  ///
  /// A migration that catches the error can't continue.
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

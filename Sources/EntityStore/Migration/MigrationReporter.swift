/// A reporter of progress, which ends a migration that the app cancels.
package final class MigrationReporter {
  /// The file or the server, for messages.
  private let place: String
  private let report: (@Sendable (Migration.Progress) throws -> Void)?
  /// The named migration that is running.
  package var migration: String?
  /// The error, if the app has cancelled.
  ///
  /// A migration that catches the error can't continue.
  private var failure: StoreError?

  package init(_ place: String, _ report: (@Sendable (Migration.Progress) throws -> Void)?) {
    self.place = place
    self.report = report
  }

  package func report(_ step: String, _ entity: String, _ completed: Int = 0, of total: Int = 0)
    throws
  {
    try check()
    guard let report else { return }
    do {
      try report(
        Migration.Progress(
          migration: migration, entity: entity, step: step, completed: completed,
          total: total))
    } catch {
      let failure = StoreError.fault(
        .cancelled,
        "\(place): the migration was cancelled at the step \"\(step)\" of \(entity) (\(error)); "
          + "nothing has changed")
      self.failure = failure
      throw failure
    }
  }

  /// Throws if the app has cancelled.
  package func check() throws { if let failure { throw failure } }
}

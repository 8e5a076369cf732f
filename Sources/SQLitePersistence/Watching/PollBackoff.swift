internal import EntityStore

/// What goes wrong while a file is looked at again and again: what is told of it, and how long it is until
/// the next try.
///
/// It decides only; its owner puts it under a lock.
package struct PollBackoff: Sendable {
  /// What has been told since it last went well.
  private var told: Set<String> = []
  /// How often it has gone wrong since then, and since when.
  private var failures = 0
  private var since: ContinuousClock.Instant?

  /// How long somebody else may hold the file for a moment.
  private static let patience = Duration.seconds(5)
  private static let mostInterval = Duration.seconds(1)

  package init() {}

  /// Notes that it has gone wrong.
  ///
  /// - Returns: what is to be told: nothing that has been told, nor what passes by itself as a rule.
  package mutating func fail(_ error: any Error, at now: ContinuousClock.Instant) -> (any Error)? {
    let first = since ?? now
    since = first
    failures += 1
    // Whoever looks no more wants no news either.
    if error is CancellationError { return nil }
    let error = Self.described(error)
    if case .some(.storage(let fault)) = error as? StoreError, fault.kind == .busy,
      now - first < Self.patience
    {
      return nil
    }
    return told.insert("\(error)").inserted ? error : nil
  }

  /// Notes that it has gone well.
  package mutating func succeed() { self = PollBackoff() }

  /// How long to wait for the next try, where it would be `usual` if nothing had gone wrong.
  ///
  /// It doubles up to a second.
  package func interval(_ usual: Duration) -> Duration {
    if failures == 0 { return usual }
    return max(usual, min(Self.mostInterval, .milliseconds(5) * (1 << min(failures, 10))))
  }

  /// The error with the sentence that says what doesn't happen.
  private static func described(_ error: any Error) -> any Error {
    guard case .some(.storage(let fault)) = error as? StoreError else { return error }
    return StoreError.storage(
      StorageFault(
        fault.kind, "What others commit can't be read: \(fault.message)", path: fault.path,
        operation: ConnectionActivity.following.description, code: fault.code,
        extendedCode: fault.extendedCode, detail: fault.detail))
  }
}

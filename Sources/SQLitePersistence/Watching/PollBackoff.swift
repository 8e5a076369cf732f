internal import EntityStore

/// The faults of repeated checks of a file: which of them are reported, and when the next attempt
/// is made.
///
/// It only decides. Its owner protects it with a lock.
package struct PollBackoff: Sendable {
  /// The cause of an error: its kind, and its words without numbers.
  ///
  /// The sentence may name another version, page or process each time.
  private struct Cause: Hashable {
    private let kind: StorageFault.Kind?
    private let code: Int?
    private let extendedCode: Int?
    private let words: String

    init(_ error: any Error) {
      let fault: StorageFault? =
        if case .some(.storage(let fault)) = error as? StoreError { fault } else { nil }
      kind = fault?.kind
      code = fault?.code
      extendedCode = fault?.extendedCode
      words = String("\(error)".filter { !$0.isNumber })
    }
  }

  /// The causes of the errors that have been reported since the last success.
  private var reported: Set<Cause> = []
  /// The number of failures since then, and the time of the first one.
  private var failures = 0
  private var since: ContinuousClock.Instant?

  /// The time for which others may hold the file before that is reported.
  private static let patience = Duration.seconds(5)
  private static let mostInterval = Duration.seconds(1)
  /// The number of errors that are reported before a success, at most.
  private static let mostReported = 16

  package init() {}

  /// Notes a failure.
  ///
  /// - Returns: the error to report, or nil if it was reported before or is likely to be transient.
  package mutating func fail(_ error: any Error, at now: ContinuousClock.Instant) -> (any Error)? {
    let first = since ?? now
    since = first
    failures += 1
    // A poller that has been cancelled has nothing to report.
    if error is CancellationError { return nil }
    let error = Self.described(error)
    if case .some(.storage(let fault)) = error as? StoreError, fault.kind == .busy,
      now - first < Self.patience
    {
      return nil
    }
    if reported.count >= Self.mostReported { return nil }
    return reported.insert(Cause(error)).inserted ? error : nil
  }

  package mutating func succeed() { self = PollBackoff() }

  /// Returns the time until the next attempt, where `usual` is the time without a failure.
  ///
  /// It doubles up to a second.
  package func interval(_ usual: Duration) -> Duration {
    if failures == 0 { return usual }
    return max(usual, min(Self.mostInterval, .milliseconds(5) * (1 << min(failures, 10))))
  }

  /// Returns the error with a sentence that states that external commits can't be read.
  private static func described(_ error: any Error) -> any Error {
    guard case .some(.storage(let fault)) = error as? StoreError else { return error }
    return StoreError.storage(
      StorageFault(
        fault.kind, "What others commit can't be read: \(fault.message)", path: fault.path,
        operation: ConnectionActivity.following.description, code: fault.code,
        extendedCode: fault.extendedCode, detail: fault.detail))
  }
}

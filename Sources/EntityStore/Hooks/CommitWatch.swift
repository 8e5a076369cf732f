/// Measures the steps of one commit.
///
/// The committing thread uses it, and no other.
final class CommitWatch {
  /// The operation, if there are hooks.
  let operation: StoreOperation?
  private(set) var times: CommitTimes
  private var last = ContinuousClock.now
  private var next = CommitStep.waiting

  init(name: String?, _ operation: StoreOperation?) {
    self.operation = operation
    times = CommitTimes(name: name)
  }

  /// Notes the external commits that were merged first.
  func note(merged versions: ClosedRange<Int64>?) {
    guard let versions else { return }
    // A repeated body may find further ones.
    times.merged = (times.merged?.lowerBound ?? versions.lowerBound)...versions.upperBound
  }

  /// Notes that a step has ended; the next one begins.
  func end(_ step: CommitStep) {
    let now = ContinuousClock.now
    times[step] += now - last
    last = now
    next = CommitStep(rawValue: step.rawValue + 1) ?? .delivering
  }

  /// Notes that the step that has begun has failed.
  func fail() { end(next) }

  func finish(_ version: Int64?, _ error: (any Error)? = nil) -> CommitTimes {
    times.version = version
    times.error = error.map { "\($0)" }
    return times
  }
}

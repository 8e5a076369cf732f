/// Measures the steps of one commit.
///
/// The committing thread uses it, and no other.
final class CommitWatch {
  /// The operation, if there are hooks.
  let operation: StoreOperation?
  private(set) var times: Commit.Times
  private var last = ContinuousClock.now
  private var next = Commit.Step.waiting

  init(name: String?, _ operation: StoreOperation?) {
    self.operation = operation
    times = Commit.Times(name: name)
  }

  /// Notes the external commits that were merged first.
  func note(merged versions: ClosedRange<Int64>?) {
    guard let versions else { return }
    // A repeated body may find further ones.
    times.merged = (times.merged?.lowerBound ?? versions.lowerBound)...versions.upperBound
  }

  /// Notes that a step has ended; the next one begins.
  func end(_ step: Commit.Step) {
    let now = ContinuousClock.now
    times[step] += now - last
    last = now
    next = Commit.Step(rawValue: step.rawValue + 1) ?? .delivering
  }

  /// Notes that the step that has begun has failed.
  func fail() { end(next) }

  func finish(_ version: Int64?, _ error: (any Error)? = nil) -> Commit.Times {
    times.version = version
    times.error = error.map { "\($0)" }
    return times
  }
}

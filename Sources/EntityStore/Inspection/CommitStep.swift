/// A step of a commit, for inspectors and profiles.
///
///     let token = store.commitTimes.subscribe { times in print(times) }
///     // version 7: body 12 µs, rules 3 µs, storing 8 µs, sealing 41 µs, delivering 5 µs
@_spi(Inspection) public enum CommitStep: Int, CaseIterable, Sendable {
  /// Other writers were waited for.
  case waiting
  /// A transaction was begun, and external commits were merged.
  case merging
  /// The app's body ran.
  case body
  /// The rules of the schemas were checked.
  case rules
  /// The changes were written to the transaction.
  case storing
  /// Results and values that the commit concerns were brought up to date.
  case preparing
  /// The transaction was committed, so that readers see it.
  case sealing
  /// The deliveries were lined up.
  case installing
  /// The storage made the commit durable.
  case syncing
  /// Immediate subscribers were called.
  case delivering
}

/// The times that the steps of a commit took.
@_spi(Inspection) public struct CommitTimes: Sendable {
  /// The version that the commit made, or nil if it made none.
  public internal(set) var version: Int64?
  /// The name of the commit.
  public let name: String?
  /// The error with which the commit failed, or nil.
  ///
  /// The step that failed is the last one that took time.
  public internal(set) var error: String?
  private var times = [Duration](repeating: .zero, count: CommitStep.allCases.count)

  init(name: String?) { self.name = name }

  /// The time that a step took.
  public internal(set) subscript(step: CommitStep) -> Duration {
    get { times[step.rawValue] }
    set { times[step.rawValue] = newValue }
  }

  /// The time of the whole commit.
  public var total: Duration { times.reduce(.zero, +) }
}

extension CommitTimes: CustomStringConvertible {
  /// The version, and each step that took time.
  public var description: String {
    let steps = CommitStep.allCases.filter { self[$0] > .zero }.map { "\($0) \(self[$0])" }
    return (version.map { "version \($0)" } ?? "no version") + ": " + steps.joined(separator: ", ")
  }
}

/// Measures the steps of one commit.
///
/// The committing thread uses it, and no other.
final class CommitWatch {
  private(set) var times: CommitTimes
  private var last = ContinuousClock.now
  private var next = CommitStep.waiting

  init(name: String?) { times = CommitTimes(name: name) }

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

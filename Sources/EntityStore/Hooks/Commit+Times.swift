extension Commit {
  /// The times that the steps of a commit took.
  ///
  ///     func ended(_ operation: StoreOperation, _ report: StoreReport) {
  ///       if let times = report.commit { histogram.record(times[.syncing]) }
  ///     }
  ///
  /// The steps follow each other without a gap. If a body runs again, its steps are added up.
  public struct Times: Sendable {
    /// The version that the commit made, or nil if it made none.
    public internal(set) var version: Int64?
    /// The versions of others that were merged before the body ran, or nil if there were none.
    public internal(set) var merged: ClosedRange<Int64>?
    /// The name of the commit.
    public let name: String?
    /// The error with which the commit failed, or nil.
    ///
    /// The step that failed is the last one that took time.
    public internal(set) var error: String?
    private var times = [Duration](repeating: .zero, count: Commit.Step.allCases.count)

    init(name: String?) { self.name = name }

    /// The time that a step took.
    public internal(set) subscript(step: Commit.Step) -> Duration {
      get { times[step.rawValue] }
      set { times[step.rawValue] = newValue }
    }

    /// The time of the whole commit.
    public var total: Duration { times.reduce(.zero, +) }
  }
}

extension Commit.Times: CustomStringConvertible {
  /// The version, and each step that took time.
  public var description: String {
    let steps = Commit.Step.allCases.filter { self[$0] > .zero }.map { "\($0) \(self[$0])" }
    return (version.map { "version \($0)" } ?? "no version") + ": " + steps.joined(separator: ", ")
  }
}

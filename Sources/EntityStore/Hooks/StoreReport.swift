/// A report of an operation that has ended.
///
///     func ended(_ operation: StoreOperation, _ report: StoreReport) {
///       if let error = report.error { log("\(operation) has failed: \(error)") }
///     }
public struct StoreReport: Sendable {
  /// The time from the beginning to the end, without that of the hooks themselves.
  public let duration: Duration
  /// The version that was opened, made or read, or the versions that were merged.
  ///
  /// It is nil if there is none: a commit that changed nothing, a merge that found nothing, or an
  /// operation that failed. It is also nil for `find`, which doesn't ask for the version.
  public let versions: ClosedRange<Int64>?
  /// The error that the operation has thrown, or nil.
  public let error: (any Error)?
  /// The times of a commit's steps; nil for other operations.
  public let commit: Commit.Times?

  init(_ duration: Duration, _ versions: ClosedRange<Int64>?, error: (any Error)?) {
    self.duration = duration
    self.versions = versions
    self.error = error
    commit = nil
  }

  init(_ times: Commit.Times, error: (any Error)?) {
    duration = times.total
    versions = times.version.map { $0...$0 }
    self.error = error
    commit = times
  }
}

extension StoreReport: CustomStringConvertible {
  /// The versions, the duration and the error, in one line.
  ///
  /// For example `version 7, 1.2e-05 seconds`.
  public var description: String {
    let error = error.map { ", failed: \("\($0)".harmless(atMost: WordLimit.sentence))" } ?? ""
    return (versions.map { "\($0.versionWords), " } ?? "") + "\(duration)" + error
  }
}

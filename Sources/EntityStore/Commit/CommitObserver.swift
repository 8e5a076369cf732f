/// An object that follows a store's commits: a result, an observed object or a subscription.
package protocol CommitObserver: AnyObject, Sendable {
  /// Prepares the observer's changes for a commit, on the committing thread, before it can be
  /// read.
  ///
  /// It must change nothing that is visible from outside, because the commit may still fail.
  /// `reader` shows the version of the commit, and must not be kept.
  ///
  /// - Returns: the work to do once the commit can be read, or nil if the commit doesn't concern
  ///   this observer.
  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery?

  /// Prepares the response to an error that prevents reading external commits after a version.
  ///
  /// - Returns: the work to do, or nil if the error doesn't concern this observer.
  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery?
}

extension CommitObserver {
  package func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? { nil }
}

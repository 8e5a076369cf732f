/// Something that follows a store's commits: a result, an observed object or a subscription.
package protocol CommitObserver: AnyObject, Sendable {
  /// Works out what a commit means here, on the committing thread, before it is durable.
  ///
  /// It must change nothing that is seen from outside: the commit may still fail. `reader` shows the
  /// version of the commit, and is not to be kept.
  ///
  /// - Returns: what is to be done once the commit is durable, or nil if it doesn't concern this.
  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery?

  /// Works out what it means here that what others have committed after a version can't be read.
  ///
  /// - Returns: what is to be done about it, or nil if it doesn't concern this.
  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery?
}

extension CommitObserver {
  package func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? { nil }
}

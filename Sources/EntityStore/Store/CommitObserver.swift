package import Relays

/// Something that follows a store's commits: a model or an observed object.
package protocol CommitObserver: AnyObject, Sendable {
  /// Works out what a commit means here, on the committing thread, before it is durable.
  ///
  /// It must change nothing that is seen from outside: the commit may still fail. `reader` shows the
  /// version of the commit, and is not to be kept.
  ///
  /// - Returns: what is to be done once the commit is durable, or nil if it doesn't concern this.
  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery?
}

/// What an observer does about a commit.
package struct PreparedDelivery: Sendable {
  /// Where `show` and `tell` run.
  let queue: DeliveryQueue?
  /// Takes the commit in, on the committing thread, once it is durable.
  ///
  /// Calls nobody.
  let install: @Sendable () -> Void
  /// Shows the commit, in its place.
  ///
  /// Calls nobody.
  let show: @Sendable () -> Void
  /// Calls the subscribers, in its place, after everything there shows the commit.
  let tell: @Sendable () -> Void

  /// What is to be done; without a queue, on the thread that delivers.
  package init(
    queue: DeliveryQueue?, install: @escaping @Sendable () -> Void,
    show: @escaping @Sendable () -> Void, tell: @escaping @Sendable () -> Void
  ) {
    self.queue = queue
    self.install = install
    self.show = show
    self.tell = tell
  }
}

/// The work that an observer does for a commit.
package struct PreparedDelivery: Sendable {
  /// The function that calls the observer's own subscribers, or the listeners that deliver.
  enum Listeners: Sendable {
    case own(@Sendable () -> Void)
    case entries(ContiguousArray<ListenerEntry>)
  }

  let install: @Sendable () -> Listeners

  /// Creates the work of an observer that installs nothing.
  ///
  /// Its own function is called on the thread that delivers, after everything there shows the
  /// commit.
  init(_ listeners: Listeners) { install = { listeners } }

  /// Creates the work of an observer that has several listeners.
  ///
  /// - Parameter install: installs the commit, on the committing thread, once it can be read, and
  ///   returns the entries of the listeners that have something to deliver. It calls no subscriber,
  ///   and adds what it replaces to the `ReleasePool`.
  package init(install: @escaping @Sendable () -> ContiguousArray<ListenerEntry>) {
    self.install = { .entries(install()) }
  }
}

package import Relays

/// What an observer does about a commit.
package struct PreparedDelivery: Sendable {
  /// Who shows and tells a commit.
  enum Listeners: Sendable {
    case own(Turn)
    case entries(ContiguousArray<ListenerEntry>)
  }

  /// What is done in one place.
  struct Turn: Sendable {
    let queue: DeliveryQueue?
    let show: @Sendable () -> Void
    let tell: @Sendable () -> Void
  }

  let install: @Sendable () -> Listeners

  /// What one observer does alone.
  ///
  /// - Parameters:
  ///   - queue: where `show` and `tell` run; without one, on the thread that delivers.
  ///   - install: takes the commit in, on the committing thread, once it is durable. It calls nobody.
  ///   - show: shows the commit, in its place. It calls nobody.
  ///   - tell: calls the subscribers, in its place, after everything there shows the commit.
  package init(
    queue: DeliveryQueue?, install: @escaping @Sendable () -> Void,
    show: @escaping @Sendable () -> Void, tell: @escaping @Sendable () -> Void
  ) {
    self.install = {
      install()
      return .own(Turn(queue: queue, show: show, tell: tell))
    }
  }

  /// What an observer does for several listeners.
  ///
  /// - Parameter install: Installs the commit, on the committing thread, once it is durable, and returns the
  ///   entries of the listeners that have something to deliver. It calls nobody, and adds what it replaces to
  ///   the `ReleasePool`.
  package init(install: @escaping @Sendable () -> ContiguousArray<ListenerEntry>) {
    self.install = { .entries(install()) }
  }
}

package import Relays

/// The work that an observer does for a commit.
package struct PreparedDelivery: Sendable {
  /// The observer itself, or the listeners, that deliver a commit.
  enum Listeners: Sendable {
    case own(Turn)
    case entries(ContiguousArray<ListenerEntry>)
  }

  /// The work in one delivery context.
  struct Turn: Sendable {
    let queue: DeliveryQueue?
    let show: @Sendable () -> Void
    let deliver: @Sendable () -> Void
  }

  let install: @Sendable () -> Listeners

  /// Creates the work of an observer that delivers its changes itself.
  ///
  /// `install` installs the commit, on the committing thread, once it can be read. `show` applies
  /// the commit, in the delivery context. Neither calls a subscriber. `deliver` calls the
  /// subscribers, in the delivery context, after everything there shows the commit. `show` and
  /// `deliver` run on `queue`. If it is nil, they run on the thread that delivers.
  package init(
    queue: DeliveryQueue?, install: @escaping @Sendable () -> Void,
    show: @escaping @Sendable () -> Void, deliver: @escaping @Sendable () -> Void
  ) {
    self.install = {
      install()
      return .own(Turn(queue: queue, show: show, deliver: deliver))
    }
  }

  /// Creates the work of an observer that has several listeners.
  ///
  /// - Parameter install: installs the commit, on the committing thread, once it can be read, and
  ///   returns the entries of the listeners that have something to deliver. It calls no subscriber,
  ///   and adds what it replaces to the `ReleasePool`.
  package init(install: @escaping @Sendable () -> ContiguousArray<ListenerEntry>) {
    self.install = { .entries(install()) }
  }
}

internal import Locking

/// An observer that is called when a model shows an event, and again after the model's own
/// subscribers have been called.
///
/// The model holds it weakly.
package final class ShownEventObserver<Snapshot: Sendable>: DerivedTeller {
  private let showing: @Sendable (ShownEvent<Snapshot>) -> Void
  private let notifying: @Sendable () -> Void

  /// Creates an observer that isn't added to a model yet.
  ///
  /// - Parameters:
  ///   - showing: Is called with each event, before any callback of the event.
  ///   - notifying: Is called after the model's subscribers have been called.
  package init(
    showing: @escaping @Sendable (ShownEvent<Snapshot>) -> Void,
    notifying: @escaping @Sendable () -> Void
  ) {
    self.showing = showing
    self.notifying = notifying
  }

  func show(_ event: ShownEvent<Snapshot>) { showing(event) }

  func tell(_ origin: EventOrigin) { notifying() }

  func notify() { notifying() }
}

extension ShownEventObserver: ListDependent where Snapshot: ListContent {
  typealias Row = Snapshot.Row

  func show(_ event: ListEvent<Snapshot.Row>) {
    guard let before = event.before as? Snapshot, let after = event.after as? Snapshot else {
      preconditionFailure("A model's list is given as something other than its snapshots")
    }
    showing(ShownEvent(before: before, after: after, lazyChanges: event.lazyChanges))
  }
}

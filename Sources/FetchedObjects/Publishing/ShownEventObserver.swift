package import ListDiffing

/// An observer that is called when a model shows an event, and again after the model's own
/// subscribers have been called.
///
/// The model holds it weakly.
package final class ShownEventObserver<Row: Diffable & Sendable>: ListNotifier, ListDependent {
  private let showing: @Sendable (ShownEvent<Row>) -> Void
  private let notifying: @Sendable () -> Void

  /// Creates an observer that isn't added to a model yet.
  package init(
    showing: @escaping @Sendable (ShownEvent<Row>) -> Void,
    notifying: @escaping @Sendable () -> Void
  ) {
    self.showing = showing
    self.notifying = notifying
  }

  func show(_ event: ShownEvent<Row>) { showing(event) }

  func notify(_ origin: EventOrigin) { notifying() }

  /// Does nothing, because an observer of events takes no errors.
  func deliver(_ error: any Error) {}
}

extension ListModel {
  /// Calls an observer with all events from now on.
  package func add(_ observer: ShownEventObserver<Row>) {
    for notifiers in core.notifiers { notifiers.add { [weak observer] in observer } }
    core.dependents.add { [weak observer] in observer }
  }
}

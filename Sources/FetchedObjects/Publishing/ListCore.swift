public import ListDiffing
internal import Relays

/// The opaque part that all list models have in common.
///
/// ``ListModel`` describes what it does.
public final class ListCore<Row: Diffable & Sendable>: Sendable {
  let signals: ListSignals<Row>
  let tracking: ListTracking
  /// The lists that are derived from the list directly, and its other observers.
  let dependents: WeakList<any ListDependent<Row>>
  /// For each model that the list comes from: all lists and observers that are derived from it, in
  /// order of creation.
  let notifiers: [WeakList<any ListNotifier>]
  /// The queue of the delivery context.
  let queue: DeliveryQueue
  /// The relays for read errors, one for each model that the list comes from.
  let errorRelays: [Relay<any Error>]
  private let currentContent: @Sendable () -> any ListContent<Row>
  private let currentError: @Sendable () -> (any Error)?

  init(
    signals: ListSignals<Row>, tracking: ListTracking,
    dependents: WeakList<any ListDependent<Row>>, notifiers: [WeakList<any ListNotifier>],
    queue: DeliveryQueue, errorRelays: [Relay<any Error>]? = nil,
    content: @escaping @Sendable () -> any ListContent<Row>,
    error: @escaping @Sendable () -> (any Error)?
  ) {
    self.signals = signals
    self.tracking = tracking
    self.dependents = dependents
    self.notifiers = notifiers
    self.queue = queue
    self.errorRelays = errorRelays ?? [signals.errors]
    currentContent = content
    currentError = error
  }

  /// The read errors of the list and of the lists that it is made of.
  var errors: Signal<any Error> {
    errorRelays.count == 1 ? errorRelays[0].signal : .merge(errorRelays.map(\.signal))
  }

  /// The list that is shown now.
  var shown: ListSnapshot<Row> { ListSnapshot(content: currentContent()) }

  /// The last read error, or nil once a commit has been read again.
  var error: (any Error)? { currentError() }
}

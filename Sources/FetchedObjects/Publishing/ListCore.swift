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
  let queue: DeliveryQueue
  private let currentContent: @Sendable () -> any ListContent<Row>
  private let currentError: @Sendable () -> (any Error)?

  init(
    signals: ListSignals<Row>, tracking: ListTracking,
    dependents: WeakList<any ListDependent<Row>>, notifiers: [WeakList<any ListNotifier>],
    queue: DeliveryQueue, content: @escaping @Sendable () -> any ListContent<Row>,
    error: @escaping @Sendable () -> (any Error)?
  ) {
    self.signals = signals
    self.tracking = tracking
    self.dependents = dependents
    self.notifiers = notifiers
    self.queue = queue
    currentContent = content
    currentError = error
  }

  /// Creates the part of a model that shows what a follower publishes.
  convenience init<Source: Follower>(
    _ signals: ListSignals<Row>, _ publisher: ModelPublisher<Source.Value, Row>,
    of follower: Source
  ) {
    self.init(
      signals: signals, tracking: publisher.tracking, dependents: publisher.dependents,
      notifiers: [publisher.notifiers], queue: follower.core.queue,
      content: { publisher.content(follower.shown) }, error: { follower.error })
  }

  /// The read errors of the model, or of the models that the list comes from.
  var errors: Signal<any Error> { signals.errors.signal }

  var shown: ListSnapshot<Row> { ListSnapshot(content: currentContent()) }

  /// The last read error, or nil once a commit has been read again.
  var error: (any Error)? { currentError() }

  /// Reports, in the delivery context, that the query has changed.
  ///
  /// A reader there is registered some time after its read, but before any job runs there. So it
  /// misses no change (F9). If nothing has been read, there is nothing to report: a reader that
  /// comes now reads the new query.
  func queryHasChanged() {
    guard tracking.hasBeenRead else { return }
    // A reader that sets a query when it is notified is in the context already. There the number of
    // nested notifications is limited.
    if tracking.isReportingQuery { return tracking.queryHasChanged() }
    queue.enqueue { [tracking] in tracking.queryHasChanged() }
    queue.run()
  }
}

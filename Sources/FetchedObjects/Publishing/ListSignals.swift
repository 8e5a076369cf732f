internal import ListDiffing
internal import Relays

/// The relays of a list model.
///
/// Only the model's `ListCore` holds them for long, so they end with the model (R6).
final class ListSignals<Row: Diffable & Sendable>: Sendable {
  let willChange = Relay<ListEvent<Row>>()
  let steps = Relay<ListEvent<Row>>()
  let didChange = Relay<ListEvent<Row>>()
  let errors = Relay<any Error>()

  /// True if an event has a subscriber.
  var hasEventSubscribers: Bool {
    willChange.hasSubscribers || steps.hasSubscribers || didChange.hasSubscribers
  }

  /// The number of subscriptions to events and errors.
  var subscriptionCount: Int {
    willChange.subscriptionCount + steps.subscriptionCount + didChange.subscriptionCount
      + errors.subscriptionCount
  }

  func send(_ event: ListEvent<Row>) {
    willChange.send(event)
    steps.send(event)
    didChange.send(event)
  }
}

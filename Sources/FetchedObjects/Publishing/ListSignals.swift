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
  /// A relay with a value after each event, and after some updates that make no event
  /// (`FetchedObjectsModel.updates`).
  let updates = Relay<Void>()

  /// True if events or updates have a subscriber.
  var hasSubscribers: Bool {
    willChange.hasSubscribers || steps.hasSubscribers || didChange.hasSubscribers
      || updates.hasSubscribers
  }

  /// The number of subscriptions to events, updates and errors.
  var subscriptionCount: Int {
    willChange.subscriptionCount + steps.subscriptionCount + didChange.subscriptionCount
      + errors.subscriptionCount + updates.subscriptionCount
  }

  func send(_ event: ListEvent<Row>) {
    willChange.send(event)
    steps.send(event)
    didChange.send(event)
  }
}

internal import Relays

/// How many events a model makes of commits that come while it can't deliver.
public enum DeliveryPolicy: Sendable {
  /// One for each commit. The default of `.immediate`.
  case each
  /// One for all that wait, with their net change. The default of an actor.
  case latest

  /// What a place does unless told otherwise.
  static func standard(for delivery: Delivery) -> DeliveryPolicy {
    delivery.queue == nil ? .each : .latest
  }
}

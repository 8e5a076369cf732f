internal import Locking

/// An object that delivers events to subscribers after a model has delivered its own.
protocol ListNotifier: AnyObject, Sendable {
  /// Delivers the changes that come from an event of a model.
  func notify(_ origin: EventOrigin)
}

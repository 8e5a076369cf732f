internal import Locking

/// A list or observer that calls its subscribers after the model that it comes from has called its
/// own.
protocol ListNotifier: AnyObject, Sendable {
  /// Delivers the changes that come from an event of a model.
  func notify(_ origin: EventOrigin)
}

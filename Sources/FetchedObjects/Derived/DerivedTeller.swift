internal import Locking

/// An object that delivers events to subscribers after a model has delivered its own.
protocol DerivedTeller: AnyObject, Sendable {
  /// Delivers the changes that come from an event of a model.
  func tell(_ origin: EventOrigin)
}

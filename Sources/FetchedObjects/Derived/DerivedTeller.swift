internal import Locking

/// Who has subscribers to be told.
protocol DerivedTeller: AnyObject, Sendable {
  /// Tells the subscribers what comes of an event of a model.
  func tell(_ origin: EventOrigin)
}

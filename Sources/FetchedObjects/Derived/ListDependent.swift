internal import Locking

/// Who is brought up to date when a list is.
protocol ListDependent<Row>: AnyObject, Sendable {
  associatedtype Row: Sendable

  /// Shows what comes of an event; calls no subscriber.
  ///
  /// It is called in the place of the list, before any callback there.
  func show(_ event: ListEvent<Row>)
}

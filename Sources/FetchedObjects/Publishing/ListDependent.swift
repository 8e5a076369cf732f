internal import ListDiffing

/// A list or observer that is updated when a list changes.
protocol ListDependent<Row>: AnyObject, Sendable {
  associatedtype Row: Diffable & Sendable

  /// Shows the result of an event. It calls no subscriber.
  ///
  /// It is called in the list's delivery context, before any callback there.
  func show(_ event: ShownEvent<Row>)
}

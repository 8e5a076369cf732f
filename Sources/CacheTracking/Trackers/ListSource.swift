/// A list that is visible in one delivery context and changes there.
protocol ListSource<List>: AnyObject, Sendable {
  associatedtype List: TrackedList

  var shown: List { get }

  /// True if the source shows no later list between `pause()` and `resume()`; false if it leaves
  /// that to the publisher.
  var pausesItself: Bool { get }

  /// Keeps the visible list until `resume()`, if the source `pausesItself`.
  ///
  /// It calls no subscribers, so it may be called under a lock.
  func pause()

  /// Shows later lists again.
  func resume()
}

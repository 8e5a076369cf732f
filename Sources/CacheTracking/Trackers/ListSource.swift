/// A list that is visible in one delivery context and changes there.
protocol ListSource<List>: AnyObject, Sendable {
  associatedtype List: TrackedList

  /// The list that is visible now.
  var shown: List { get }
}

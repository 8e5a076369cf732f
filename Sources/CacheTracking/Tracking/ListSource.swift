/// A list that is shown in one place and changes there.
protocol ListSource<List>: AnyObject, Sendable {
  associatedtype List: TrackedList

  /// The list as it is shown now.
  var shown: List { get }
}

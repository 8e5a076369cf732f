/// A list that is visible in one delivery context and changes there.
protocol ListSource<List>: AnyObject, Sendable {
  associatedtype List: TrackedList

  var shown: List { get }
}

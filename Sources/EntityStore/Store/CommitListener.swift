/// Someone who shows and tells in a place of its own what an observer has taken in.
package protocol CommitListener: AnyObject, Sendable {
  /// Shows what it has taken in up to a turn of its place.
  ///
  /// Calls nobody.
  func show(_ turn: Int)
  /// Calls the subscribers, in its place, after everything there shows the commit.
  func tell()
}

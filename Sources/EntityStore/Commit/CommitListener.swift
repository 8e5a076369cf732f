/// A listener that delivers an observer's changes in its own delivery context.
///
/// It first applies them (`show`), and then notifies its subscribers (`deliver`).
package protocol CommitListener: AnyObject, Sendable {
  /// Applies the changes that were installed up to a turn of its delivery context.
  ///
  /// It calls no subscriber.
  func show(_ turn: Int)
  /// Calls the subscribers, after everything in the delivery context shows the commit.
  func deliver()
}

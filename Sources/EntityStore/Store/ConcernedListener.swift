/// A listener that a commit may concern, which is held until no lock is.
package struct ConcernedListener: Sendable {
  let entry: ListenerEntry?
  let listener: any CommitListener
  /// What it shows no more.
  private let leftOut: [any Sendable]

  /// A listener, with its entry if it has something to show or tell, and what is to be freed when no
  /// lock is held.
  package init(
    _ entry: ListenerEntry?, _ listener: any CommitListener, freeing leftOut: [any Sendable] = []
  ) {
    self.entry = entry
    self.listener = listener
    self.leftOut = leftOut
  }
}

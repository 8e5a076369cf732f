internal import FetchedObjects

/// The place of a client in a stream: its cursor in each of the lists, in their order.
struct EventStreamPlace: Sendable, Equatable, CustomStringConvertible {
  var cursors: [FeedCursor?]
  /// True after the first bytes.
  var hasBegun = false

  /// Creates the place of a client with the id of its last event, or of a client that begins.
  ///
  /// A text that isn't an id of a stream with as many lists is the place of one that begins.
  init(_ lastEventID: String?, listCount: Int) {
    cursors = Array(repeating: nil, count: listCount)
    // A cursor has 54 bytes at most.
    guard let text = lastEventID, text.utf8.count <= listCount * 55 else { return }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    if parts.count == listCount { cursors = parts.map { FeedCursor(String($0)) } }
  }

  /// The id of an event after which a client is here.
  var description: String { cursors.map { $0?.description ?? "" }.joined(separator: ",") }
}

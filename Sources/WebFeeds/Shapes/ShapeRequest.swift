internal import FetchedObjects

/// A request for a shape, read from the parameters of its address.
struct ShapeRequest: Equatable {
  /// Where the client is.
  enum Place: Equatable {
    /// It has nothing yet.
    case start
    /// It wants only what comes from now on.
    case now
    /// It has some of the first rows of a version.
    case part(FeedCursor, rows: Int)
    /// It has all rows of a version.
    case whole(FeedCursor)
  }

  /// The ways to wait for what is new.
  enum Live: Equatable {
    case no, longPoll, events
  }

  var place: Place
  var live: Live
  /// The handle that the client has, or nil.
  var handle: ShapeHandle?

  /// Parameters that the protocol doesn't have belong to the app.
  init(_ parameters: [String: String], feed: UInt64) throws(ShapeRefusal) {
    if let name = parameters.keys.filter(Self.selects).min() {
      throw .bad("The parameter \(name) isn't supported: the server chooses the rows and columns.")
    }
    guard let offset = parameters["offset"] else { throw .bad("The parameter offset is missing.") }
    live = .no
    switch parameters["live"] ?? "false" {
    case "false": break
    case "true":
      let asksForEvents = ["live_sse", "experimental_live_sse"].contains {
        parameters[$0] == "true"
      }
      live = asksForEvents ? .events : .longPoll
    default: throw .bad("The parameter live is true or false.")
    }
    if offset == "-1" || offset == "now" {
      if live != .no { throw .bad("A live request needs the offset of an answer.") }
      place = offset == "now" ? .now : .start
      return
    }
    guard ShapeOffset.isOffset(offset) else {
      throw .bad("The parameter offset isn't -1, now or the offset of an answer.")
    }
    guard let handle = parameters["handle"] else {
      throw .bad("The parameter handle is missing.")
    }
    // A handle of another feed, or a text that is none, means that the client starts again.
    self.handle = ShapeHandle(handle)
    guard let known = self.handle, known.feed == feed else { throw .mustRefetch }
    // Another server of the protocol has offsets of other sizes.
    guard let position = ShapeOffset(offset) else { throw .mustRefetch }
    let cursor = FeedCursor(feed: feed, version: position.version, sum: position.sum)
    place = position.rows == 0 ? .whole(cursor) : .part(cursor, rows: position.rows)
    if live != .no, position.rows != 0 {
      throw .bad("A live request comes after the last part of the rows.")
    }
  }

  /// Returns true for a parameter by which a client asks for other rows or columns, or other forms
  /// of them, than the server's.
  private static func selects(_ name: String) -> Bool {
    switch name {
    case "where", "columns", "params", "order_by", "limit", "replica": true
    default: name.hasPrefix("subset__") || name.hasPrefix("params[")
    }
  }
}

/// The reasons why a request for a shape isn't answered with rows.
enum ShapeRefusal: Error, Equatable {
  /// It isn't one of the protocol.
  case bad(String)
  /// The client's rows can't be continued.
  case mustRefetch
}

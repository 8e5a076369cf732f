internal import FetchedObjects
internal import Locking
public import Relays

/// Lists for browsers, as server-sent events.
///
///     let board = EventStreamFeed([
///       EventStreamList("flights", of: flights), EventStreamList("stages", of: stages),
///     ])
///
///     // GET /board
///     let stream = board.stream(after: request.headers["last-event-id"] ?? request.query["after"])
///     for try await bytes in stream.chunks() { try await response.write(bytes) }
///
/// In the page, ``clientModule`` keeps the lists:
///
///     import { follow } from "./signalbox.js"
///     follow("/board", { flights: sections => show(sections) })
///
/// An event has the name of its list. Its data is a page of the list's feed: the whole list at
/// first, then net changes with exact positions and sections. Its id is the client's place in all
/// lists. A browser sends it as `Last-Event-ID` when it connects again, and gets what it missed. A
/// place that isn't known leads to the whole lists, so no client can be wrong for long.
///
/// A sign of life follows the first events, and is among others every five seconds: a page may
/// follow only some of the lists.
///
/// There is no HTTP in it. The server decides who may ask. An event is encoded once for all clients
/// at the same place. Any thread can ask.
public final class EventStreamFeed: Sendable {
  private let lists: [EventStreamList]
  /// Has a value when one of the lists may have something new.
  ///
  /// Subscribers are called in the delivery context of the list's model. They should only wake
  /// those that wait. A server with many clients needs one subscription, not one for each stream.
  public let didChange: Signal<Void>

  /// Creates a feed of lists.
  ///
  /// - Precondition: There is a list, and their names are different.
  public init(_ lists: [EventStreamList]) {
    mustHold(!lists.isEmpty, "An event stream without lists; give it one")
    mustHold(
      Set(lists.map(\.name)).count == lists.count,
      "Two lists of an event stream have the same name; a client couldn't tell their events apart")
    self.lists = lists
    didChange = Signal.merge(lists.map(\.didChange))
  }

  /// Returns the stream of a client.
  ///
  /// - Parameter lastEventID: The `Last-Event-ID` of the request, or nil if it has none. A text of
  ///   any kind is safe.
  /// - Returns: The stream, which is of this client only.
  public func stream(after lastEventID: String?) -> EventStream {
    stream(after: lastEventID) { ContinuousClock.now }
  }

  /// Returns the stream of a client, whose signs of life among the events follow a clock.
  func stream(
    after lastEventID: String?, now: @escaping @Sendable () -> ContinuousClock.Instant
  ) -> EventStream {
    EventStream(
      keepAlive: Self.keepAlive, place: EventStreamPlace(lastEventID, listCount: lists.count),
      didChange: didChange
    ) { [lists] place in
      if let piece = place.pieces.popLast() { return .bytes(piece) }
      // An unchanged list with another cursor is an event, too: the client's next page leads on
      // from that cursor. A list that throws leaves the place as it was.
      let events = try lists.indices.compactMap { index in
        let event = try lists[index].event(place.cursors[index])
        return event.cursor == place.cursors[index] ? nil : (list: index, event: event)
      }
      if events.isEmpty && place.hasBegun { return .nothing }
      let isFirst = !place.hasBegun
      var bytes = isFirst ? Self.beginning : []
      // A page that follows none of these lists would take the stream for a silent one.
      if place.needsSign(at: now()) { bytes.append(contentsOf: Self.keepAlive) }
      for (index, event) in events {
        place.move(index, after: event)
        if event.lines.count <= Self.smallEvent {
          bytes.append(contentsOf: event.lines)
        } else {
          // Many clients share the lines of a long event. Only what is their own is copied.
          if !bytes.isEmpty { place.pieces.append(bytes) }
          place.pieces.append(event.lines)
          bytes = []
        }
        place.endEvent(event, &bytes)
      }
      // Now everything has come. A page waits longer for lists that take long.
      if isFirst { bytes.append(contentsOf: Self.keepAlive) }
      if !bytes.isEmpty { place.pieces.append(bytes) }
      if place.pieces.count > 1 { place.pieces.reverse() }
      return place.pieces.popLast().map { .bytes($0) } ?? .nothing
    }
  }

  /// The number of versions that are held, of all lists.
  public var heldVersionCount: Int { lists.reduce(0) { $0 + $1.heldVersionCount() } }

  /// The module `signalbox.js` for pages: what a browser needs to follow the lists.
  ///
  /// Serve it as `text/javascript`. It has about 100 lines and imports nothing.
  public static var clientModule: [UInt8] { PackageResources.signalbox_js }

  /// The most bytes of an event that are copied for each client.
  private static let smallEvent = 4096
  /// The first bytes: the browser sees the connection at once, and after a lost one waits a second.
  private static let beginning = Array("retry: 1000\n\n".utf8)
  /// An event, and not a comment: a browser hides comments from the page, which then couldn't
  /// notice that the server has ended.
  private static let keepAlive = Array("event: alive\ndata: 0\n\n".utf8)
}

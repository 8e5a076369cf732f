public import EntityStore
public import FetchedObjects
internal import Locking
public import Relays

/// A list of an event stream: a model, the name of its events, and the content of its rows.
///
///     EventStreamList("flights", of: flights)
///     EventStreamList("flights", of: flights) { flight in
///       FeedValues(["id": flight.id.storedValue, "airline": (flight.carrier?.name).storedValue])
///     }
public struct EventStreamList: Sendable {
  /// An event's lines but for its id, and the place of a client that has it.
  struct Event: Sendable {
    let cursor: FeedCursor
    let lines: [UInt8]
    /// The text of the cursor.
    let id: [UInt8]
    /// The end of the event in a stream of this list alone, which all clients share.
    let ending: [UInt8]

    init(_ cursor: FeedCursor, _ lines: [UInt8]) {
      self.cursor = cursor
      self.lines = lines
      id = Array(cursor.description.utf8)
      ending = EventStreamPlace.ending([id])
    }
  }

  /// The name of the list's events.
  public let name: String
  /// Returns the event that leads a client from its cursor to the list that is shown.
  let event: @Sendable (FeedCursor?) throws -> Event
  let heldVersionCount: @Sendable () -> Int
  /// The model, whose events would end without it.
  private let model: any Sendable
  let didChange: Signal<Void>

  /// Creates a list whose rows are stored values by name.
  ///
  /// - Parameters:
  ///   - name: The name of the list's events.
  ///   - model: The model whose list is sent. The stream keeps it.
  ///   - limit: The number of versions that are held.
  ///   - identity: A number that distinguishes the list from others. With a fixed one, a client
  ///     that has exactly the shown list gets no reset after the process has been restarted, if the
  ///     store's versions continue. Change it when `row` makes something else.
  ///   - row: Makes the content of a row. It may read only the object and what the query includes.
  ///     By default it is the object's attributes and what the query includes.
  /// - Precondition: `limit` is 1 or more. The name isn't empty, has no line breaks, and isn't
  ///   `open`, `error` or `alive`, which have another meaning for a client.
  public init<E: Entity>(
    _ name: String, of model: FetchedObjectsModel<E>, keeping limit: Int = 100,
    identity: UInt64 = .random(in: .min ... .max),
    row: @escaping @Sendable (EntityView<E>) -> FeedValues = { FeedValues($0) }
  ) {
    self.init(name, of: model, keeping: limit, identity: identity, row: row) { $0.json }
  }

  /// Creates a list whose rows are made and encoded by the app.
  ///
  ///     EventStreamList("flights", of: flights, row: FlightRow.init) { page in
  ///       try JSONEncoder().encode(page)
  ///     }
  ///
  /// - Parameters:
  ///   - name: The name of the list's events.
  ///   - model: The model whose list is sent. The stream keeps it.
  ///   - limit: The number of versions that are held.
  ///   - identity: A number that distinguishes the list from others, as in the other initialiser.
  ///   - row: Makes the content of a row.
  ///   - encode: Writes a page as the JSON that the guide "Feeds" describes.
  /// - Precondition: The same as in the other initialiser.
  public init<E: Entity, Content: Sendable, Text: Sequence<UInt8> & SendableMetatype>(
    _ name: String, of model: FetchedObjectsModel<E>, keeping limit: Int = 100,
    identity: UInt64 = .random(in: .min ... .max),
    row: @escaping @Sendable (EntityView<E>) -> Content,
    encode: @escaping @Sendable (FeedPage<Content>) throws -> Text
  ) {
    Self.check(name)
    self.name = name
    self.model = model
    didChange = model.updates
    let feed = FetchedObjectsFeed(of: model, keeping: limit, identity: identity, row: row) { page in
      Event(page.cursor, Self.lines(name, try encode(page)))
    }
    event = { try feed.page(after: $0) }
    heldVersionCount = { feed.heldVersionCount }
  }

  /// Creates a list of one row that is made from what a model shows: a count, a sum.
  ///
  ///     EventStreamList("total", after: flights) {
  ///       FeedValues(["rows": $0.totalCount.storedValue])
  ///     }
  ///
  /// The row is sent when it differs from what the client has, also if a commit outside the model's
  /// window has changed the number of all rows.
  ///
  /// - Parameters:
  ///   - name: The name of the row's events.
  ///   - model: The model, which the stream keeps.
  ///   - identity: A number that distinguishes the list from others.
  ///   - row: Makes the row, on any thread.
  /// - Precondition: The same for the name as in the other initialisers.
  public init<E: Entity>(
    _ name: String, after model: FetchedObjectsModel<E>,
    identity: UInt64 = .random(in: .min ... .max),
    row: @escaping @Sendable (ListSnapshot<EntityView<E>>) throws -> FeedValues
  ) {
    self.init(name, after: model.updates, identity: identity) { try row(model.snapshot) }
  }

  /// Creates a list of one row that is made when a client asks: a value, a state.
  ///
  ///     EventStreamList("state", after: connection.changes) {
  ///       FeedValues(["isOnline": connection.isOnline.storedValue])
  ///     }
  ///
  /// It is sent when it differs from what the client has.
  ///
  /// - Parameters:
  ///   - name: The name of the row's events.
  ///   - changes: Has a value when the row may be different.
  ///   - identity: A number that distinguishes the list from others.
  ///   - row: Makes the row, on any thread.
  /// - Precondition: The same for the name as in the other initialisers.
  public init<Change>(
    _ name: String, after changes: some Subscribable<Change>,
    identity: UInt64 = .random(in: .min ... .max),
    row: @escaping @Sendable () throws -> FeedValues
  ) {
    Self.check(name)
    self.name = name
    model = changes
    didChange = changes.map { _ in () }
    let last = Locked<Event?>(nil)
    event = { _ in
      let page = FeedPage(of: try row(), feed: identity)
      if let event = last.withLock({ $0 }), event.cursor == page.cursor { return event }
      let event = Event(page.cursor, Self.lines(name, page.json))
      last.withLock { $0 = event }
      return event
    }
    heldVersionCount = { 0 }
  }

  private static func check(_ name: String) {
    mustHold(
      !name.isEmpty && !name.utf8.contains { $0 == 0x0A || $0 == 0x0D }
        && !["open", "error", "alive"].contains(name),
      "A list of an event stream can't be named \(StoredValue.text(name).brief); use a word that "
        + "isn't open, error or alive")
  }

  /// A line break of the text begins another line, which the client joins again.
  private static func lines(_ name: String, _ text: some Sequence<UInt8>) -> [UInt8] {
    var lines = Array("event: \(name)\ndata: ".utf8)
    let text = Array(text)
    lines.reserveCapacity(lines.count + text.count + 1)
    var start = 0
    text.withUnsafeBufferPointer { bytes in
      for (place, byte) in bytes.enumerated() where byte == 0x0A || byte == 0x0D {
        lines.append(contentsOf: bytes[start..<place])
        // In JSON a carriage return is a space.
        lines.append(contentsOf: (byte == 0x0A ? "\ndata: " : " ").utf8)
        start = place + 1
      }
      lines.append(contentsOf: bytes[start...])
    }
    lines.append(0x0A)
    return lines
  }
}

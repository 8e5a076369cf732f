public import EntityStore
public import FetchedObjects
internal import Locking
public import Relays

/// A model's rows for clients that speak Electric's shape protocol, such as `@electric-sql/client`
/// and TanStack DB's Electric collection.
///
///     let flights = ShapeFeed(of: model)
///
///     // GET /shapes/flights?offset=-1
///     let answer = await flights.answer(to: request.query)
///
/// There is no HTTP in it: it makes the status, the headers and the body of each answer. The server
/// decides who may ask. A client begins with all rows, in parts, and then waits for what is new, by
/// long polling or on a stream of events. It gets the net change since its last answer, of each row
/// the fields that are different. A client whose version is no longer held gets 409, and begins
/// again.
///
/// The protocol knows no order and no sections, so a client sorts its rows alone. A row has the
/// object's attributes by name, what the query includes by its path (`carrier.name`), the values
/// that the query sorts by, and, in a list with sections, the identity and the title of its section
/// as `$section` and `$sectionTitle`. Stored values have the same form as in a feed; a Boolean is 0
/// or 1.
///
/// Each change has as its `txid` the version of the store. A command that answers
/// ``WebAnswer/committed(version:)`` is confirmed when this version comes, also if a later command
/// of this store undoes it. A commit that touches no row of the list isn't confirmed by it. Neither
/// are external commits that undo each other before the store merges them.
///
/// A message is encoded once for all clients at the same place, and copied into the answer of each.
/// Any thread can ask.
public final class ShapeFeed: Sendable {
  let feed: KeyedFeed<ShapePage>
  private let origin: String?
  private let partLimit: Int
  /// The rows that clients begin with, of the newest version first, and those of versions that some
  /// clients may still be receiving.
  private let snapshots = Locked<[ShapeSnapshot]>([])
  /// The version at which rows of evicted versions were last dropped.
  private let lastDrop = Locked<FeedCursor?>(nil)

  /// Creates the feed of a model's list.
  ///
  /// The feed keeps the model.
  ///
  /// - Parameters:
  ///   - model: The model whose rows are sent.
  ///   - limit: The number of versions that are held.
  ///   - identity: A number that distinguishes the feed from others. With a fixed one, a client
  ///     that has exactly the shown rows needn't begin again after the process has been restarted,
  ///     if the store's versions continue. Change it when `row` makes something else, or when a
  ///     value that the query sorts by is computed in another way, such as a day in another
  ///     calendar. If the query sorts by a value of another object that it doesn't include, or by a
  ///     condition of time, every client begins again.
  ///   - partLimit: The number of rows in each of the first answers.
  ///   - origin: The origin of pages of other servers that may read the answers, such as
  ///     `https://example.org`, or `*` for all. By default only pages of the same server may.
  ///   - row: Makes the content of a row. It may read only the object and what the query includes.
  ///     By default it is the object's attributes and what the query includes. The id, the values
  ///     that the query sorts by, and the section are added. A value with the id's name takes the
  ///     id's place: make it of the id alone, such as its text.
  /// - Precondition: `limit` and `partLimit` are 1 or more.
  public init<E: Entity>(
    of model: FetchedObjectsModel<E>, keeping limit: Int = 1000,
    identity: UInt64 = .random(in: .min ... .max), partLimit: Int = 5000,
    allowingOrigin origin: String? = nil,
    row: (@Sendable (EntityView<E>) -> FeedValues)? = nil
  ) {
    mustHold(partLimit > 0, "Parts of \(partLimit) rows; use 1 or more")
    feed = KeyedFeed(of: model, keeping: limit, identity: identity, row: row) { ShapePage($0) }
    self.partLimit = partLimit
    self.origin = origin
  }

  /// Returns the reply to a request with these parameters of its address, without waiting.
  ///
  /// - Complexity: O(*b*) to copy the *b* bytes of an answer whose messages have been made for
  ///   another client. Otherwise also O(*k* log *n*) for *k* objects that may have changed since
  ///   and *n* rows, O(*m* log *n*) for a part of *m* rows, and O(*n*) for the feed's first two
  ///   answers.
  public func reply(to parameters: [String: String]) -> ShapeReply {
    do {
      return try reply(ShapeRequest(parameters, feed: feed.identity))
    } catch {
      return .answer(answer(error))
    }
  }

  /// Has a value when there may be something new.
  ///
  /// Subscribers are called in the model's delivery context. They should only wake those that wait.
  public var didChange: Signal<Void> { feed.didChange }

  /// The number of versions that are held.
  public var heldVersionCount: Int { feed.count }

  // MARK: Replies

  private func reply(_ request: ShapeRequest) throws(ShapeRefusal) -> ShapeReply {
    let handle = request.handle ?? ShapeHandle(feed: feed.identity)
    switch request.place {
    case .start: return .answer(first(handle))
    case .now:
      let page = feed.page(after: nil)
      dropEvicted(at: page.cursor)
      return .answer(answer(page.ends, at: ShapeOffset(page.cursor), handle))
    case .part(let cursor, let rows): return .answer(try part(of: cursor, from: rows, handle))
    case .whole(let cursor):
      let page = feed.page(after: cursor)
      dropEvicted(at: page.cursor)
      guard page.isKnown else { throw .mustRefetch }
      switch request.live {
      case .events: return .stream(stream(after: cursor, handle))
      case .longPoll where page.cursor == cursor:
        let upToDate = [ShapePage.upToDate(at: cursor)]
        return .waiting(
          orElse: answer(upToDate, at: ShapeOffset(cursor), handle, isLive: true))
      default:
        // A list with another version and without a difference is an answer, too: somebody may wait
        // for the version.
        return .answer(
          answer(
            page.messages + page.ends, at: ShapeOffset(page.cursor), handle,
            isLive: request.live == .longPoll))
      }
    }
  }

  /// Returns the first part of the rows.
  private func first(_ handle: ShapeHandle) -> WebAnswer {
    let held = snapshots.withLock { $0.first }
    // So a client has half of the held versions to get all parts, and what came meanwhile.
    if let held, let age = feed.age(of: held.cursor), age <= feed.limit / 2 {
      return answer(held, from: 0, handle)
    }
    let new = ShapeSnapshot(feed.page(after: nil), partLimit: partLimit)
    changeSnapshots { $0 = [new] + $0.filter { feed.age(of: $0.cursor) != nil } }
    return answer(new, from: 0, handle)
  }

  /// The number of versions of which the feed has all rows, for clients that begin.
  var snapshotCount: Int { snapshots.withLock { $0.count } }

  /// Drops the rows of versions that the feed doesn't hold any more, once for each shown version.
  private func dropEvicted(at cursor: FeedCursor) {
    let isNew = lastDrop.withLock { last in
      defer { last = cursor }
      return last != cursor
    }
    // A feed holds many cursors, and has many clients at one version.
    guard isNew else { return }
    changeSnapshots { $0.removeAll { feed.age(of: $0.cursor) == nil } }
  }

  /// Changes the rows for clients that begin, and releases none of them under the lock.
  private func changeSnapshots(_ change: (inout [ShapeSnapshot]) -> Void) {
    let old = snapshots.withLock { snapshots in
      let old = snapshots
      change(&snapshots)
      return old
    }
    withExtendedLifetime(old) {}
  }

  private func part(
    of cursor: FeedCursor, from start: Int, _ handle: ShapeHandle
  ) throws(ShapeRefusal) -> WebAnswer {
    let held = snapshots.withLock { snapshots in snapshots.first { $0.cursor == cursor } }
    // No answer leads to a position within a part.
    guard let held, start.isMultiple(of: partLimit), feed.age(of: cursor) != nil else {
      throw .mustRefetch
    }
    return answer(held, from: start, handle)
  }

  /// Returns a part of the rows; after the last ones come the changes since.
  private func answer(
    _ snapshot: ShapeSnapshot, from start: Int, _ handle: ShapeHandle
  ) -> WebAnswer {
    let part = snapshot.part(from: start)
    let rows = part.rows.isEmpty ? [] : [part.rows]
    let page = part.next == 0 ? feed.page(after: snapshot.cursor) : nil
    guard let page, page.isKnown else {
      return answer(
        rows, at: ShapeOffset(snapshot.cursor, rows: part.next), handle, isUpToDate: false)
    }
    return answer(rows + page.messages + page.ends, at: ShapeOffset(page.cursor), handle)
  }

  private func stream(after cursor: FeedCursor, _ handle: ShapeHandle) -> EventStream {
    let headers = self.headers(at: ShapeOffset(cursor), handle, isLive: true, isUpToDate: false)
    return EventStream(
      keepAlive: Array(": keep-alive\n\n".utf8), headers: headers, place: cursor,
      didChange: didChange
    ) { [self] cursor in
      let page = feed.page(after: cursor)
      dropEvicted(at: page.cursor)
      // The client asks again, and gets 409.
      guard page.isKnown else { return .end }
      if page.cursor == cursor { return .nothing }
      cursor = page.cursor
      return .bytes(
        (page.messages + page.ends).flatMap { message in
          Array("data: ".utf8) + message + Array("\n\n".utf8)
        })
    }
  }

  // MARK: Headers

  private func answer(
    _ messages: [[UInt8]], at offset: ShapeOffset, _ handle: ShapeHandle, isLive: Bool = false,
    isUpToDate: Bool = true
  ) -> WebAnswer {
    WebAnswer(status: 200, json: Self.array(messages))
      .adding(headers(at: offset, handle, isLive: isLive, isUpToDate: isUpToDate))
  }

  private static func array(_ messages: [[UInt8]]) -> [UInt8] {
    var body: [UInt8] = [UInt8(ascii: "[")]
    for (place, message) in messages.enumerated() {
      if place > 0 { body.append(UInt8(ascii: ",")) }
      body.append(contentsOf: message)
    }
    body.append(UInt8(ascii: "]"))
    return body
  }

  private func headers(
    at offset: ShapeOffset, _ handle: ShapeHandle, isLive: Bool, isUpToDate: Bool
  ) -> [WebAnswer.Header] {
    var headers = [
      WebAnswer.Header("electric-handle", handle.description),
      WebAnswer.Header("electric-offset", offset.description),
      // The schema says nothing of types: numbers and texts are as JSON has them.
      isLive
        ? WebAnswer.Header("electric-cursor", offset.place)
        : WebAnswer.Header("electric-schema", "{}"),
    ]
    if isUpToDate { headers.append(WebAnswer.Header("electric-up-to-date", "true")) }
    return headers + originHeaders
  }

  private func answer(_ refusal: ShapeRefusal) -> WebAnswer {
    switch refusal {
    case .bad(let message):
      return .refused(status: 400, kind: "badRequest", message).adding(originHeaders)
    case .mustRefetch:
      let handle = ShapeHandle(feed: feed.identity)
      return WebAnswer(status: 409, json: Self.array([ShapePage.mustRefetch]))
        .adding([WebAnswer.Header("electric-handle", handle.description)] + originHeaders)
    }
  }

  /// The answer to an `OPTIONS` request, by which a browser asks whether a page of another server
  /// may send headers of its own, such as `Authorization`.
  ///
  /// It is 204 if the feed allows an origin, and otherwise 405.
  public var preflight: WebAnswer {
    guard origin != nil else {
      return WebAnswer.refused(
        status: 405, kind: "badMethod", "Only pages of this server may read this."
      ).adding([WebAnswer.Header("allow", "GET")])
    }
    return WebAnswer(
      status: 204,
      headers: originHeaders + [
        WebAnswer.Header("access-control-allow-methods", "GET"),
        WebAnswer.Header("access-control-allow-headers", "authorization,content-type"),
        WebAnswer.Header("access-control-max-age", "600"),
      ])
  }

  /// The headers that allow pages of another server to read an answer and its headers.
  private var originHeaders: [WebAnswer.Header] {
    guard let origin else { return [] }
    return [
      WebAnswer.Header("access-control-allow-origin", origin),
      WebAnswer.Header(
        "access-control-expose-headers",
        "electric-handle,electric-offset,electric-schema,electric-cursor,electric-up-to-date"),
      WebAnswer.Header("vary", "origin"),
    ]
  }
}

/// The reply to a request for a shape: an answer, a wait or a stream.
///
///     switch flights.reply(to: request.query) {
///     case .answer(let answer): send(answer)
///     case .waiting(let orElse): wait(request, atMost: .seconds(20), orElse)
///     case .stream(let stream): send(stream)
///     }
public enum ShapeReply: Sendable {
  /// The answer.
  case answer(WebAnswer)
  /// Nothing is new, and the client waits. Ask for the reply again after
  /// ``ShapeFeed/didChange``, or send this answer after at most 20 seconds.
  case waiting(orElse: WebAnswer)
  /// A stream of events, with status 200 and ``EventStream/headers``.
  case stream(EventStream)
}

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
/// ``WebAnswer/committed(version:)`` is confirmed when this version comes. The versions of commits
/// that changed nothing of the rows in the end are confirmed with the next batch.
///
/// What is sent is made once for all clients at the same place. Any thread can ask.
public final class ShapeFeed: Sendable {
  let feed: KeyedFeed<ShapePage>
  private let origin: String?
  private let partLimit: Int
  /// The rows that clients begin with, of the newest version first, and those of versions that some
  /// clients may still be receiving.
  private let snapshots = Locked<[ShapeSnapshot]>([])

  /// Creates the feed of a model's list.
  ///
  /// The feed keeps the model.
  ///
  /// - Parameters:
  ///   - model: The model whose rows are sent.
  ///   - limit: The number of versions that are held.
  ///   - identity: A number that distinguishes the feed from others. With a fixed one, a client
  ///     that has exactly the shown rows needn't begin again after the process has been restarted,
  ///     provided that the store's versions continue.
  ///   - partLimit: The number of rows in each of the first answers.
  ///   - origin: The origin of pages of other servers that may read the answers, such as
  ///     `https://example.org`, or `*` for all. By default only pages of the same server may.
  ///   - row: Makes the content of a row. It may read only the object and what the query includes.
  ///     By default it is the object's attributes and what the query includes. The id, the values
  ///     that the query sorts by, and the section are added.
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
  /// - Complexity: O(1) if it has been made for another client. Otherwise O(*k* log *n*) for *k*
  ///   objects that may have changed since and *n* rows, O(*m* log *n*) for a part of *m* rows, and
  ///   O(*n*) for the feed's first two answers.
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
      return .answer(batch(nil, at: feed.page(after: nil).cursor, handle, isLive: false))
    case .part(let cursor, let rows): return .answer(try part(of: cursor, from: rows, handle))
    case .whole(let cursor):
      let page = feed.page(after: cursor)
      guard page.isKnown else { throw .mustRefetch }
      if request.live == .events { return .stream(stream(after: cursor)) }
      let answer = batch(page.messages, at: page.cursor, handle, isLive: request.live == .longPoll)
      return request.live == .longPoll && page.messages == nil
        ? .waiting(orElse: answer) : .answer(answer)
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
    let old = snapshots.withLock { snapshots in
      let old = snapshots
      snapshots = [new] + old.filter { feed.age(of: $0.cursor) != nil }
      return old
    }
    return withExtendedLifetime(old) { answer(new, from: 0, handle) }
  }

  private func part(
    of cursor: FeedCursor, from start: Int, _ handle: ShapeHandle
  ) throws(ShapeRefusal) -> WebAnswer {
    let held = snapshots.withLock { snapshots in snapshots.first { $0.cursor == cursor } }
    guard let held else { throw .mustRefetch }
    return answer(held, from: start, handle)
  }

  private func answer(
    _ snapshot: ShapeSnapshot, from start: Int, _ handle: ShapeHandle
  ) -> WebAnswer {
    let part = snapshot.part(from: start)
    let offset = ShapeOffset(snapshot.cursor, rows: part.next)
    var body: [UInt8] = [UInt8(ascii: "[")]
    body.append(contentsOf: part.rows)
    body.append(UInt8(ascii: "]"))
    return answer(200, body, offset, handle, isLive: false, isUpToDate: false)
  }

  private func batch(
    _ messages: [[UInt8]]?, at cursor: FeedCursor, _ handle: ShapeHandle, isLive: Bool
  ) -> WebAnswer {
    var body: [UInt8] = [UInt8(ascii: "[")]
    for message in messages ?? [] {
      body.append(contentsOf: message)
      body.append(UInt8(ascii: ","))
    }
    body.append(contentsOf: ShapePage.upToDate(at: cursor))
    body.append(UInt8(ascii: "]"))
    return answer(200, body, ShapeOffset(cursor), handle, isLive: isLive, isUpToDate: true)
  }

  private func stream(after cursor: FeedCursor) -> EventStream {
    EventStream(
      keepAlive: Array(": keep-alive\n\n".utf8), headers: originHeaders, place: cursor,
      didChange: didChange
    ) { [feed] cursor in
      let page = feed.page(after: cursor)
      // The client asks again, and gets 409.
      guard page.isKnown else { return .end }
      cursor = page.cursor
      guard let messages = page.messages else { return .nothing }
      return .bytes(
        (messages + [ShapePage.upToDate(at: page.cursor)]).flatMap { message in
          Array("data: ".utf8) + message + Array("\n\n".utf8)
        })
    }
  }

  // MARK: Headers

  private func answer(
    _ status: Int, _ body: [UInt8], _ offset: ShapeOffset?, _ handle: ShapeHandle, isLive: Bool,
    isUpToDate: Bool
  ) -> WebAnswer {
    var answer = WebAnswer(status: status, json: body)
    answer.headers.append(WebAnswer.Header("electric-handle", handle.description))
    if let offset {
      answer.headers.append(WebAnswer.Header("electric-offset", offset.description))
      // It says nothing of types: numbers and texts are as JSON has them.
      answer.headers.append(
        isLive
          ? WebAnswer.Header("electric-cursor", offset.place)
          : WebAnswer.Header("electric-schema", "{}"))
    }
    if isUpToDate { answer.headers.append(WebAnswer.Header("electric-up-to-date", "")) }
    answer.headers += originHeaders
    return answer
  }

  private func answer(_ refusal: ShapeRefusal) -> WebAnswer {
    switch refusal {
    case .bad(let message):
      var answer = WebAnswer.refused(status: 400, kind: "badRequest", message)
      answer.headers += originHeaders
      return answer
    case .mustRefetch:
      let body = [UInt8(ascii: "[")] + ShapePage.mustRefetch + [UInt8(ascii: "]")]
      return answer(
        409, body, nil, ShapeHandle(feed: feed.identity), isLive: false, isUpToDate: false)
    }
  }

  /// The headers that allow pages of another server to read an answer and its headers.
  var originHeaders: [WebAnswer.Header] {
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

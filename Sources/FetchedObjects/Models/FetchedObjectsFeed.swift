public import EntityStore

/// What a model shows, for clients that come and go: each is told the net change since it last asked.
///
///     let feed = FetchedObjectsFeed(of: cars) { car in
///       CarRow(model: car.model, owner: car.owner?.name)
///     } page: { page in
///       try JSONEncoder().encode(page)
///     }
///     let data = try feed.page(after: cursor)
///
/// A client asks with the cursor of the page that it had last, and gets the changes from that list to the
/// one that the model shows now, that nothing is different, or a reset: the whole list. It gets a
/// reset if it has no cursor, if the version that it has is no longer held, if the check sum that it sends
/// is another, or if the cursor is of another feed; but not if the check sum is that of the list as it is
/// shown. So a client that is killed and resumes ends with the list that it would have, had it stayed.
///
/// The last versions that clients were given are held, each as a snapshot in O(1); at the limit
/// the one given longest ago goes. Nobody waits for a slow client, and no snapshot of yours is touched.
/// A page is made and encoded once for all clients that are at the same place, unless two threads ask for it at the
/// same moment. It may be asked for on any thread.
///
/// The result is kept up to date while the feed lives, also when the model has gone. A model with a
/// window feeds what is in the window; another query or window is a change like any other.
public final class FetchedObjectsFeed<Output: Sendable>: Sendable {
  private let cursors: FeedCursors<Output>
  private let make: @Sendable (FeedStep) throws -> Output

  /// Makes a feed of what a model shows.
  ///
  /// - Parameters:
  ///   - model: what is fed.
  ///   - limit: how many versions are held.
  ///   - identity: what tells the feed's cursors from those of others. It is random unless given, so that
  ///     in another life of the process all clients get a reset. One that is given may be the same again:
  ///     then who has exactly what is shown isn't told it again, if the store's versions go on, as a
  ///     file's do. Change it when `row` makes something else of an object.
  ///   - row: makes what clients are given of an object; `FeedValues.init` gives its attributes by name. It
  ///     reads the object and what the query includes, nothing else: it is called again when these change.
  ///   - page: makes what is sent: text, most often.
  /// - Precondition: `limit` is 1 or more.
  public init<E: Entity, Content: Sendable>(
    of model: FetchedObjectsModel<E>, keeping limit: Int = 100,
    identity: UInt64 = .random(in: .min ... .max),
    row: @escaping @Sendable (EntityView<E>) -> Content,
    page: @escaping @Sendable (FeedPage<Content>) throws -> Output
  ) {
    cursors = FeedCursors(model.follower, feed: identity, limit: limit)
    make = { step in try page(step.page { row(EntityView($0, $1)) }) }
  }

  /// Makes a feed of what a model shows, which gives its pages as they are.
  ///
  /// - Parameters:
  ///   - model: what is fed.
  ///   - limit: how many versions are held.
  ///   - identity: what tells the feed's cursors from those of others, as in the other initialiser.
  ///   - row: makes what clients are given of an object.
  /// - Precondition: `limit` is 1 or more.
  public convenience init<E: Entity, Content: Sendable>(
    of model: FetchedObjectsModel<E>, keeping limit: Int = 100,
    identity: UInt64 = .random(in: .min ... .max),
    row: @escaping @Sendable (EntityView<E>) -> Content
  ) where Output == FeedPage<Content> {
    self.init(of: model, keeping: limit, identity: identity, row: row) { $0 }
  }

  /// What a client is told that has the list of `cursor`; nil is one that has none.
  ///
  /// - Throws: what `page` throws; the next client has it made anew.
  /// - Complexity: O(1) if it has been made; else O(*k* log *n*) for *k* objects that may have changed since and
  ///   *n* in the result, and O(*n*) for a reset and for the first two pages of all.
  public func page(after cursor: FeedCursor?) throws -> Output {
    try cursors.page(after: cursor, make: make)
  }

  /// How many versions are held.
  public var heldVersionCount: Int { cursors.count }

  /// How many versions may be held.
  ///
  /// A lower one lets the oldest go at once, and their clients get a reset.
  ///
  /// - Precondition: it is 1 or more.
  public var heldVersionLimit: Int {
    get { cursors.limit }
    set { cursors.limit = newValue }
  }
}

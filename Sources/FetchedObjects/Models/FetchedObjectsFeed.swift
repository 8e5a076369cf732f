public import EntityStore

/// A feed of a model's list for remote clients, with the net change since each client's last page.
///
///     let feed = FetchedObjectsFeed(of: cars) { car in
///       CarRow(model: car.model, owner: car.owner?.name)
///     } page: { page in
///       try JSONEncoder().encode(page)
///     }
///     let data = try feed.page(after: cursor)
///
/// A client sends the cursor of its last page. It gets the changes from that list to the one that
/// the model shows now, or a page which states that nothing is different, or a reset: the whole
/// list. It gets a reset if it has no cursor, if its version is no longer held, if it sends a
/// different check sum, or if its cursor belongs to another feed. There is one exception. A client
/// whose check sum is that of the shown list gets no reset, if its cursor is of this feed and not
/// of a later version. So a client that is killed and resumes ends with the same list as if it had
/// stayed.
///
/// The feed holds the last versions that clients were given, each as a snapshot in O(1). At the
/// limit, it releases the version that was given longest ago. A slow client delays nobody, and the
/// feed doesn't affect snapshots that the app holds. A page is made and encoded once for all
/// clients that are at the same version, unless two threads ask for it at the same moment. Any
/// thread can ask for a page.
///
/// The result is kept up to date as long as the feed exists. The model may be deallocated, even
/// during a pause. If the model delivers on an actor, that actor must still exist. The feed of a
/// model with a window has the rows in the window. Another query or window is a change like any
/// other.
public final class FetchedObjectsFeed<Output: Sendable>: Sendable {
  private let cursors: FeedCursors<Output>
  private let make: @Sendable (FeedStep) throws -> Output

  /// Creates a feed of a model's list.
  ///
  /// - Parameters:
  ///   - model: The model whose list is fed.
  ///   - limit: The number of versions that are held.
  ///   - identity: A number that distinguishes the feed's cursors from those of other feeds. By
  ///     default it is random, so all clients get a reset after the process has been restarted.
  ///     With a fixed identity, a client that has exactly the shown list gets no reset then,
  ///     provided that the store's versions continue, as those of a file do. Change the identity
  ///     when `row` makes something else of an object.
  ///   - row: Makes the content that clients get for an object. `FeedValues.init` gives its
  ///     attributes by name. The closure may read only the object and what the query includes: it
  ///     is called again when these change.
  ///   - page: Makes the value that is sent, usually text.
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

  /// Creates a feed of a model's list that returns its pages unencoded.
  ///
  /// - Parameters:
  ///   - model: The model whose list is fed.
  ///   - limit: The number of versions that are held.
  ///   - identity: A number that distinguishes the feed's cursors from those of other feeds, as in
  ///     the other initialiser.
  ///   - row: Makes the content that clients get for an object.
  /// - Precondition: `limit` is 1 or more.
  public convenience init<E: Entity, Content: Sendable>(
    of model: FetchedObjectsModel<E>, keeping limit: Int = 100,
    identity: UInt64 = .random(in: .min ... .max),
    row: @escaping @Sendable (EntityView<E>) -> Content
  ) where Output == FeedPage<Content> {
    self.init(of: model, keeping: limit, identity: identity, row: row) { $0 }
  }

  /// Returns the changes since `cursor`, or the whole list if `cursor` is nil or no longer held.
  ///
  /// - Throws: The error that `page` throws. The next client's request makes the page again.
  /// - Complexity: O(1) if the page has been made. Otherwise O(*k* log *n*) for *k* objects that
  ///   may have changed since and *n* in the result, and O(*n*) for a reset and for the feed's
  ///   first two pages.
  public func page(after cursor: FeedCursor?) throws -> Output {
    try cursors.page(after: cursor, make: make)
  }

  /// The number of versions that are held.
  public var heldVersionCount: Int { cursors.count }

  /// The maximum number of versions that are held.
  ///
  /// A lower limit releases the oldest versions at once. Their clients get a reset.
  ///
  /// - Precondition: The new value is 1 or more.
  public var heldVersionLimit: Int {
    get { cursors.limit }
    set { cursors.limit = newValue }
  }
}

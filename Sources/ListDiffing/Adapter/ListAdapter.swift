/// An adapter that keeps the host of a flat list up to date with a data source.
///
///     final class People: ListAdapterDataSource {
///       var people: [Person] = []
///       func objects(for adapter: ListAdapter<Person>) -> [Person] { people }
///     }
///     let people = People()
///     let adapter = ListAdapter(host: collectionView, dataSource: people)
///     people.people.append(Person(id: 1, name: "Ann"))
///     adapter.performUpdates { finished in print("shown") }
///
/// The view reads its rows from ``objects``. These are the objects that the host shows. They change
/// inside the host's batch. The data source's own list may change at any time.
///
/// Calls are coalesced. All calls until the main actor starts its next job become one update. The
/// data source is asked once for it, just before. The update is animated if all of its calls are.
/// Calls that the data source or the host makes during an update become part of the next one, and
/// so do calls by a completion. Each completion is called once, in the order of the calls of one
/// update. That holds even if the host or the adapter has been deallocated by then.
///
/// The host is reloaded in these cases: at the first update, while it isn't shown, if it shows
/// other counts than it was given, and if there are more changes than ``reloadLimit``. Otherwise it
/// gets the smallest possible number of changes. Objects may repeat an identifier; see
/// ``ListDiff/duplicates``.
///
/// Use an enum for rows of several kinds. An adapter holds neither its host nor its data source.
/// Lists are compared on the main actor. For 100,000 objects of which 1 % changed, this takes half
/// a millisecond if identifiers are numbers, two to four if they are ASCII texts, and up to twenty
/// with other texts. Use numbers for very long lists.
@MainActor
public final class ListAdapter<Object: Diffable> {
  /// The data source that provides the objects.
  public weak var dataSource: (any ListAdapterDataSource<Object>)?

  let updater: ListUpdater<_OnlySection, Object>

  /// Creates an adapter that asks a data source.
  ///
  /// It shows nothing before the first update.
  ///
  /// - Parameters:
  ///   - host: The host that shows the list. It is held weakly: keep a host that isn't a view.
  ///   - dataSource: The data source that provides the objects.
  ///   - reloadLimit: The number of changes above which the host reloads instead, or nil for no
  ///     limit.
  @inlinable
  public convenience init(
    host: (any ListUpdating)? = nil, dataSource: (any ListAdapterDataSource<Object>)? = nil,
    reloadLimit: Int? = nil
  ) {
    self.init(
      _host: host, dataSource: dataSource, reloadLimit: reloadLimit, difference: _difference(),
      objects: nil)
  }

  /// Creates an adapter that asks a closure.
  ///
  /// It shows nothing before the first update.
  ///
  ///     let adapter = ListAdapter(host: table) { [unowned model] in
  ///       model.fetchedObjects.map { CarRow($0) }
  ///     }
  ///
  /// - Parameters:
  ///   - host: The host that shows the list. It is held weakly: keep a host that isn't a view.
  ///   - reloadLimit: The number of changes above which the host reloads instead, or nil for no
  ///     limit.
  ///   - objects: A closure that returns the objects. The adapter holds it.
  @inlinable
  public convenience init(
    host: (any ListUpdating)? = nil, reloadLimit: Int? = nil, objects: @escaping () -> [Object]
  ) {
    self.init(
      _host: host, dataSource: nil, reloadLimit: reloadLimit, difference: _difference(),
      objects: objects)
  }

  @usableFromInline
  init(
    _host host: (any ListUpdating)?, dataSource: (any ListAdapterDataSource<Object>)?,
    reloadLimit: Int?, difference: @escaping _ListDifference<_OnlySection, Object>,
    objects: (() -> [Object])?
  ) {
    self.dataSource = dataSource
    updater = ListUpdater(
      shown: [ListSection(header: _OnlySection(), rows: [])], host: host, reloadLimit: reloadLimit,
      difference: difference)
    updater.fresh = { [weak self] in
      guard let self, let rows = objects?() ?? self.dataSource?.objects(for: self) else {
        return nil
      }
      return [ListSection(header: _OnlySection(), rows: rows)]
    }
  }

  /// The objects that the host shows: those of the last update.
  public var objects: [Object] { updater.shown[0].rows }

  /// The host that shows the list.
  ///
  /// The next update reloads a new host.
  public var host: (any ListUpdating)? {
    get { updater.host }
    set { updater.host = newValue }
  }

  /// The number of changes above which the host reloads instead, or nil for no limit.
  public var reloadLimit: Int? {
    get { updater.reloadLimit }
    set { updater.reloadLimit = newValue }
  }

  /// The style in which the host takes changes, or nil to use the host's own style.
  public var updateStyle: ListUpdateStyle? {
    get { updater.style }
    set { updater.style = newValue }
  }

  /// Schedules an update that shows the data source's objects as changes.
  ///
  /// - Parameters:
  ///   - animated: True to animate the changes.
  ///   - completion: A closure that is called once, when the update is over. It gets true if the
  ///     update finished. It gets false if the host reports that it didn't, or if there was no host
  ///     or no data source.
  public func performUpdates(animated: Bool = true, completion: ((Bool) -> Void)? = nil) {
    updater.request(animated: animated, completion: completion)
  }

  /// Schedules an update that shows the data source's objects as changes, and waits until it is
  /// over.
  ///
  /// The animation of an earlier update may still run then. If a host never calls a completion and
  /// keeps it forever, this method never returns.
  ///
  /// - Parameter animated: True to animate the changes.
  /// - Returns: The value that a completion gets.
  @discardableResult
  public func performUpdatesAsync(animated: Bool = true) async -> Bool {
    await withCheckedContinuation { continuation in
      performUpdates(animated: animated) { continuation.resume(returning: $0) }
    }
  }

  /// Schedules an update that reloads all of the data source's objects.
  ///
  /// - Parameter completion: A closure that is called once, as for
  ///   ``performUpdates(animated:completion:)``.
  public func reloadData(completion: ((Bool) -> Void)? = nil) {
    updater.request(reloading: .everything, completion: completion)
  }

  /// Schedules an update that shows the data source's objects as changes, and also reloads the
  /// given objects, even if their content is equal to what is shown.
  ///
  /// - Parameters:
  ///   - objects: The objects to reload. Only their identifiers count. If an identifier repeats,
  ///     all its copies are reloaded.
  ///   - animated: True to animate the changes.
  ///   - completion: A closure that is called once, as for
  ///     ``performUpdates(animated:completion:)``.
  public func reloadObjects(
    _ objects: [Object], animated: Bool = true, completion: ((Bool) -> Void)? = nil
  ) {
    updater.request(
      animated: animated, reloading: .rows(Set(objects.map(\.diffIdentifier))),
      completion: completion)
  }

  /// Performs the scheduled update now.
  ///
  /// It does nothing if none is scheduled or an update is running.
  public func performPendingUpdates() { updater.performPending() }
}

/// The object that provides the objects that a ``ListAdapter`` shows.
///
///     final class People: ListAdapterDataSource {
///       var people: [Person] = []
///       func objects(for adapter: ListAdapter<Person>) -> [Person] { people }
///     }
@MainActor
public protocol ListAdapterDataSource<Object>: AnyObject {
  /// The objects of the list.
  associatedtype Object: Diffable

  /// Returns the objects to show, in order. An adapter calls this once for each update.
  func objects(for adapter: ListAdapter<Object>) -> [Object]
}

/// The one section of a flat list.
@usableFromInline
struct _OnlySection: Diffable {
  @usableFromInline
  init() {}

  @usableFromInline var diffIdentifier: Int { 0 }

  @usableFromInline
  func isContentEqual(to other: _OnlySection) -> Bool { true }
}

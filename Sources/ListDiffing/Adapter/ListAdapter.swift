/// Keeps the host of a flat list up to date with what a data source has.
///
///     final class People: ListAdapterDataSource {
///       var people: [Person] = []
///       func objects(for adapter: ListAdapter<Person>) -> [Person] { people }
///     }
///     let adapter = ListAdapter(host: collectionView, dataSource: people)
///     people.people.append(Person(id: 1, name: "Ann"))
///     adapter.performUpdates { finished in print("shown") }
///
/// The view reads its rows from ``objects``: these are what the host shows, and they change inside its batch.
/// The data source's own list may change at any time.
///
/// Calls are coalesced: all that are made until the main actor gets to its next job become one update, for which
/// the data source is asked once, just before. It is animated if all of them are. Calls made during it, by the
/// data source or the host, and those made by a completion go into the next one. Each completion is called once,
/// those of one update in the order of the calls, also if the host or the adapter has gone by then.
///
/// A host is reloaded the first time, when it isn't shown, when it shows other counts than it was given, and when
/// there are more changes than ``reloadLimit``. Otherwise it gets the fewest changes there are. Objects that
/// repeat an identifier do no harm; see ``ListDiff/duplicates``.
///
/// Rows of several kinds are an enum. An adapter holds neither host nor data source. Comparing 100,000
/// objects of which 1 % changed takes half a millisecond with numbers, two to four with texts in ASCII and up to
/// twenty with others, so it is done on the main actor; give very long lists numbers.
@MainActor
public final class ListAdapter<Object: Diffable> {
  /// Whom to ask for the objects.
  public weak var dataSource: (any ListAdapterDataSource<Object>)?

  let updater: ListUpdater<_OnlySection, Object>

  /// Creates an adapter that asks a data source.
  ///
  /// It shows nothing before the first update.
  ///
  /// - Parameters:
  ///   - host: Who shows the list. It is held weakly: keep a host that isn't a view.
  ///   - dataSource: Whom to ask for the objects.
  ///   - reloadLimit: The number of changes above which the host reloads instead; nil if there is none.
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
  ///   - host: Who shows the list. It is held weakly: keep a host that isn't a view.
  ///   - reloadLimit: The number of changes above which the host reloads instead; nil if there is none.
  ///   - objects: Gives the objects. The adapter keeps it.
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

  /// Who shows the list.
  ///
  /// A new host is reloaded by the next update.
  public var host: (any ListUpdating)? {
    get { updater.host }
    set { updater.host = newValue }
  }

  /// The number of changes above which the host reloads instead; nil if there is none.
  public var reloadLimit: Int? {
    get { updater.reloadLimit }
    set { updater.reloadLimit = newValue }
  }

  /// How the host takes changes; nil if it decides itself.
  public var updateStyle: ListUpdateStyle? {
    get { updater.style }
    set { updater.style = newValue }
  }

  /// Shows what the data source has, soon, as changes.
  ///
  /// - Parameters:
  ///   - animated: Whether to show how the list changes.
  ///   - completion: Is called once when that is over: with true if it came to its end, and with false if the
  ///     host says otherwise or there was no host or no data source.
  public func performUpdates(animated: Bool = true, completion: ((Bool) -> Void)? = nil) {
    updater.request(animated: animated, completion: completion)
  }

  /// Shows what the data source has, soon, as changes, and waits until that is over.
  ///
  /// An earlier update may still be seen to happen then. A host that keeps a completion for good lets this wait for
  /// good.
  ///
  /// - Parameter animated: Whether to show how the list changes.
  /// - Returns: What a completion is called with.
  @discardableResult
  public func performUpdatesAsync(animated: Bool = true) async -> Bool {
    await withCheckedContinuation { continuation in
      performUpdates(animated: animated) { continuation.resume(returning: $0) }
    }
  }

  /// Shows what the data source has, soon, all of it anew.
  ///
  /// - Parameter completion: Is called once, as for ``performUpdates(animated:completion:)``.
  public func reloadData(completion: ((Bool) -> Void)? = nil) {
    updater.request(reloading: .everything, completion: completion)
  }

  /// Shows what the data source has, soon, as changes, and the given objects anew even where their content is
  /// equal to what is shown.
  ///
  /// - Parameters:
  ///   - objects: The objects. Their identifiers count; of one that repeats, all copies are meant.
  ///   - animated: Whether to show how the list changes.
  ///   - completion: Is called once, as for ``performUpdates(animated:completion:)``.
  public func reloadObjects(
    _ objects: [Object], animated: Bool = true, completion: ((Bool) -> Void)? = nil
  ) {
    updater.request(
      animated: animated, reloading: .rows(Set(objects.map(\.diffIdentifier))),
      completion: completion)
  }

  /// Does at once what is to be done soon; nothing if that is nothing or an update is under way.
  public func performPendingUpdates() { updater.performPending() }
}

/// Whoever has the objects that a ``ListAdapter`` shows.
@MainActor
public protocol ListAdapterDataSource<Object>: AnyObject {
  /// The objects of the list.
  associatedtype Object: Diffable

  /// The objects to show, in order. An adapter asks once for each update.
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

/// An adapter that keeps the host of a list up to date with a closure or a data source.
///
///     let adapter = ListAdapter(host: collectionView) { [unowned model] in model.people }
///     model.people.append(Person(id: 1, name: "Ann"))
///     adapter.performUpdates { finished in print("shown") }
///     adapter.rows.count  // what the view's own data source answers
///
/// A list without sections has ``NoHeader`` as its header. A list with sections is given sections:
///
///     let adapter = ListAdapter(host: tableView) { [unowned garage] in
///       garage.owners.map { owner in ListSection(header: owner, rows: garage.cars(of: owner)) }
///     }
///
/// The view reads its rows from ``sections`` or ``rows``. These are the rows that the host shows.
/// They change inside the host's batch. The data source's own list may change at any time.
///
/// Calls are coalesced. All calls until the main actor starts its next job become one update. The
/// data source is asked once for it, just before. The update is animated if all of its calls are.
/// Calls that the data source or the host makes during an update become part of the next one, and
/// so do calls by a completion. Each completion is called once, in the order of the calls of one
/// update. That holds even if the host or the adapter has been deallocated by then.
///
/// The host is reloaded in these cases: at the first update, at the first one after ``host`` was
/// set, for ``reloadData(completion:)``, while the host isn't shown, if it shows other counts than
/// it was given, and if there are more changes than ``reloadLimit``. Otherwise it gets the smallest
/// possible number of changes. Rows may repeat an identifier; see
/// ``ListDiff/duplicates``.
///
/// Use an enum for rows of several kinds. An adapter holds neither its host nor its data source.
/// Lists are compared on the main actor. For 100,000 rows of which 1 % changed, this takes half
/// a millisecond if identifiers are numbers, two to four if they are ASCII texts, and about eleven
/// with other texts in Normalization Form C. Text in another form takes three times as long. Use
/// numbers for very long lists.
@MainActor
public final class ListAdapter<Header: Diffable, Row: Diffable> {
  /// The data source that provides the sections.
  public weak var dataSource: (any ListAdapterDataSource<Header, Row>)?

  let updater: ListUpdater<Header, Row>

  /// Creates an adapter that asks a data source.
  ///
  /// It shows nothing before the first update.
  ///
  /// - Parameters:
  ///   - host: The host that shows the list. It is held weakly: keep a host that isn't a view.
  ///   - dataSource: The data source that provides the sections.
  ///   - reloadLimit: The number of changes above which the host reloads instead, or nil for no
  ///     limit.
  @inlinable
  public convenience init(
    host: (any ListUpdating)? = nil,
    dataSource: (any ListAdapterDataSource<Header, Row>)? = nil, reloadLimit: Int? = nil
  ) {
    self.init(
      _host: host, dataSource: dataSource, reloadLimit: reloadLimit, difference: _difference(),
      sections: nil)
  }

  /// Creates an adapter that asks a closure for sections.
  ///
  /// It shows nothing before the first update.
  ///
  /// - Parameters:
  ///   - host: The host that shows the list. It is held weakly: keep a host that isn't a view.
  ///   - reloadLimit: The number of changes above which the host reloads instead, or nil for no
  ///     limit.
  ///   - sections: A closure that returns the sections. The adapter holds it.
  @_disfavoredOverload
  @inlinable
  public convenience init(
    host: (any ListUpdating)? = nil, reloadLimit: Int? = nil,
    sections: @escaping () -> [ListSection<Header, Row>]
  ) {
    self.init(
      _host: host, dataSource: nil, reloadLimit: reloadLimit, difference: _difference(),
      sections: sections)
  }

  /// Creates an adapter of a list without sections that asks a closure for rows.
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
  ///   - rows: A closure that returns the rows. The adapter holds it.
  @inlinable
  public convenience init(
    host: (any ListUpdating)? = nil, reloadLimit: Int? = nil, rows: @escaping () -> [Row]
  ) where Header == NoHeader {
    self.init(host: host, reloadLimit: reloadLimit) { [ListSection(rows: rows())] }
  }

  @usableFromInline
  init(
    _host host: (any ListUpdating)?,
    dataSource: (any ListAdapterDataSource<Header, Row>)?,
    reloadLimit: Int?, difference: @escaping _ListDifference<Header, Row>,
    sections: (() -> [ListSection<Header, Row>])?
  ) {
    self.dataSource = dataSource
    // A list without sections has one section from the start.
    var shown: [ListSection<Header, Row>] = []
    if Header.self == NoHeader.self, let header = NoHeader() as? Header {
      shown = [ListSection(header: header, rows: [])]
    }
    updater = ListUpdater(
      shown: shown, host: host, reloadLimit: reloadLimit, difference: difference)
    updater.fresh = { [weak self] in
      guard let self else { return nil }
      return sections?() ?? self.dataSource?.sections(for: self)
    }
  }

  /// The sections that the host shows: those of the last update.
  public var sections: [ListSection<Header, Row>] { updater.shown }

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
  public var updateStyle: ListPresentation.Style? {
    get { updater.style }
    set { updater.style = newValue }
  }

  /// Schedules an update that shows the data source's sections as changes.
  ///
  /// - Parameters:
  ///   - animated: True to animate the changes.
  ///   - completion: A closure that is called once, when the update is over. It gets true if the
  ///     update finished. It gets false if the host reports that it didn't, if the host releases
  ///     its completion without a call, or if there was no host or no data source.
  public func performUpdates(animated: Bool = true, completion: ((Bool) -> Void)? = nil) {
    updater.request(animated: animated, completion: completion)
  }

  /// Schedules an update that shows the data source's sections as changes, and waits until it is
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

  /// Schedules an update that reloads all of the data source's sections.
  ///
  /// - Parameter completion: A closure that is called once, as for
  ///   ``performUpdates(animated:completion:)``.
  public func reloadData(completion: ((Bool) -> Void)? = nil) {
    updater.request(reloading: .everything, completion: completion)
  }

  /// Schedules an update that shows the data source's sections as changes, and also reloads the
  /// given rows, even if their content is equal to what is shown.
  ///
  /// - Parameters:
  ///   - rows: The rows to reload. Only their identifiers count. If an identifier repeats, all its
  ///     copies are reloaded.
  ///   - animated: True to animate the changes.
  ///   - completion: A closure that is called once, as for
  ///     ``performUpdates(animated:completion:)``.
  public func reloadRows(
    _ rows: [Row], animated: Bool = true, completion: ((Bool) -> Void)? = nil
  ) {
    updater.request(
      animated: animated, reloading: .rows(Set(rows.map(\.diffIdentifier))), completion: completion)
  }

  /// Performs the scheduled update now.
  ///
  /// It does nothing if none is scheduled or an update is running.
  public func performPendingUpdates() { updater.performPending() }
}

extension ListAdapter where Header == NoHeader {
  /// The rows that the host shows: those of the last update.
  public var rows: [Row] { sections.first?.rows ?? [] }
}

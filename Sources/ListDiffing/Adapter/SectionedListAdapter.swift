/// An adapter that keeps the host of a list with sections up to date with a data source.
///
///     let adapter = SectionedListAdapter(host: tableView) { [unowned garage] in
///       garage.owners.map { owner in ListSection(header: owner, rows: garage.cars(of: owner)) }
///     }
///     adapter.performUpdates(animated: true)
///     adapter.sections.count  // what the view's data source answers
///
/// It is a ``ListAdapter`` for sections. Everything that ``ListAdapter`` promises holds here, too.
@MainActor
public final class SectionedListAdapter<Header: Diffable, Row: Diffable> {
  /// The data source that provides the sections.
  public weak var dataSource: (any SectionedListAdapterDataSource<Header, Row>)?

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
    dataSource: (any SectionedListAdapterDataSource<Header, Row>)? = nil, reloadLimit: Int? = nil
  ) {
    self.init(
      _host: host, dataSource: dataSource, reloadLimit: reloadLimit, difference: _difference(),
      sections: nil)
  }

  /// Creates an adapter that asks a closure.
  ///
  /// It shows nothing before the first update.
  ///
  /// - Parameters:
  ///   - host: The host that shows the list. It is held weakly: keep a host that isn't a view.
  ///   - reloadLimit: The number of changes above which the host reloads instead, or nil for no
  ///     limit.
  ///   - sections: A closure that returns the sections. The adapter holds it.
  @inlinable
  public convenience init(
    host: (any ListUpdating)? = nil, reloadLimit: Int? = nil,
    sections: @escaping () -> [ListSection<Header, Row>]
  ) {
    self.init(
      _host: host, dataSource: nil, reloadLimit: reloadLimit, difference: _difference(),
      sections: sections)
  }

  @usableFromInline
  init(
    _host host: (any ListUpdating)?,
    dataSource: (any SectionedListAdapterDataSource<Header, Row>)?,
    reloadLimit: Int?, difference: @escaping _ListDifference<Header, Row>,
    sections: (() -> [ListSection<Header, Row>])?
  ) {
    self.dataSource = dataSource
    updater = ListUpdater(shown: [], host: host, reloadLimit: reloadLimit, difference: difference)
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
  public var updateStyle: ListUpdateStyle? {
    get { updater.style }
    set { updater.style = newValue }
  }

  /// Schedules an update that shows the data source's sections as changes.
  ///
  /// - Parameters:
  ///   - animated: True to animate the changes.
  ///   - completion: A closure that is called once, as for
  ///     ``ListAdapter/performUpdates(animated:completion:)``.
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
  ///   ``ListAdapter/performUpdates(animated:completion:)``.
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
  ///     ``ListAdapter/performUpdates(animated:completion:)``.
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

/// Keeps the host of a list with sections up to date with what a data source has.
///
///     let adapter = SectionedListAdapter(host: tableView) { [unowned garage] in
///       garage.owners.map { owner in ListSection(header: owner, rows: garage.cars(of: owner)) }
///     }
///     adapter.performUpdates(animated: true)
///     adapter.sections.count  // what the view's data source answers
///
/// It is a ``ListAdapter`` for sections: what that promises holds here.
@MainActor
public final class SectionedListAdapter<Header: Diffable, Row: Diffable> {
  /// Whom to ask for the sections.
  public weak var dataSource: (any SectionedListAdapterDataSource<Header, Row>)?

  let updater: ListUpdater<Header, Row>

  /// Creates an adapter that asks a data source.
  ///
  /// It shows nothing before the first update.
  ///
  /// - Parameters:
  ///   - host: Who shows the list. It is held weakly: keep a host that isn't a view.
  ///   - dataSource: Whom to ask for the sections.
  ///   - reloadLimit: The number of changes above which the host reloads instead; nil if there is none.
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
  ///   - host: Who shows the list. It is held weakly: keep a host that isn't a view.
  ///   - reloadLimit: The number of changes above which the host reloads instead; nil if there is none.
  ///   - sections: Gives the sections. The adapter keeps it.
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
  ///   - completion: Is called once, as for ``ListAdapter/performUpdates(animated:completion:)``.
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
  /// - Parameter completion: Is called once, as for ``ListAdapter/performUpdates(animated:completion:)``.
  public func reloadData(completion: ((Bool) -> Void)? = nil) {
    updater.request(reloading: .everything, completion: completion)
  }

  /// Shows what the data source has, soon, as changes, and the given rows anew even where their content is
  /// equal to what is shown.
  ///
  /// - Parameters:
  ///   - rows: The rows. Their identifiers count; of one that repeats, all copies are meant.
  ///   - animated: Whether to show how the list changes.
  ///   - completion: Is called once, as for ``ListAdapter/performUpdates(animated:completion:)``.
  public func reloadRows(
    _ rows: [Row], animated: Bool = true, completion: ((Bool) -> Void)? = nil
  ) {
    updater.request(
      animated: animated, reloading: .rows(Set(rows.map(\.diffIdentifier))), completion: completion)
  }

  /// Does at once what is to be done soon; nothing if that is nothing or an update is under way.
  public func performPendingUpdates() { updater.performPending() }
}

@_spi(Storage) public import EntityStore
internal import Locking

extension ListSnapshot {
  /// Reads the sorted, sectioned result of a query once, without following it.
  ///
  ///     let report = try ListSnapshot(query, in: store)
  ///     for section in report.sections { print(section.name, section.count) }
  ///
  /// A ``FetchedObjectsModel`` keeps a result up to date.
  ///
  /// - Parameters:
  ///   - query: The query, with its order and sections.
  ///   - source: The source of the objects: a store, a snapshot of a store, or a draft.
  /// - Throws: ``/EntityStore/StoreError`` if the result can't be read.
  /// - Complexity: O(*n* log *n*) at most, where *n* is the number of objects without the query's
  ///   limit.
  public init<E: Entity>(
    _ query: Query<E>, in source: borrowing some StoreReading & ~Copyable
  ) throws where Row == EntityView<E> {
    let plan = ResultPlan(query.description.unlimited)
    let instant = plan.isTimed ? source.instant : 0
    let base = try source.withStorageReader { try plan.fetch($0, at: instant) }
    self.init(
      content: EntityRows(view: ResultView(base, ResultWindow(query.description))))
  }

  /// Reads the result of a query for an observer that follows the store's commits afterwards.
  ///
  /// The store learns which version has been read, so that an external commit that is undone before
  /// it is merged still makes an event.
  package init<E: Entity>(_ query: Query<E>, firstIn store: Store) throws
  where Row == EntityView<E> {
    let plan = ResultPlan(query.description.unlimited)
    mustHold(
      !plan.isTimed,
      "A list that is fetched again after each commit can't follow conditions of time; use a "
        + "FetchedObjectsModel, or a FetchedObjectsCacheTracker")
    let base = try store.readFirst { try plan.fetch($0, at: 0) }
    self.init(
      content: EntityRows(view: ResultView(base, ResultWindow(query.description))))
  }
}

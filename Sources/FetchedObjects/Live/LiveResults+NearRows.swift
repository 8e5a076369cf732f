@_spi(Storage) internal import EntityStore
internal import Locking

extension LiveResults {
  /// Returns the result of a query's first rows or last rows, if they can serve a window.
  ///
  /// There is a result for 64 rows, for 128, and so on. So a window that is made larger again and
  /// again reads the rows few times. A window that moves up from further down keeps its index until
  /// it is near the beginning.
  func rows(
    near window: ResultWindow, of query: QueryDescription, after current: LiveResult?,
    in store: Store
  ) throws -> LiveResult? {
    let plan = plan(of: query.unlimited)
    let limits = NearRowsLimits.of(store)
    var most = limits.most.load()
    if case .window = current?.source, current?.plan === plan { most /= 2 }
    guard window.end <= most, NearRows.canServe(plan) else { return nil }
    var needed = limits.least.load()
    while needed < window.end { needed *= 2 }
    func key(_ count: Int) -> QueryDescription {
      // No query of an app has this offset.
      var key = plan.query
      (key.offset, key.limit, key.isFromEnd) = (-1, count, window.isFromEnd)
      return key
    }
    // More rows than necessary do, too.
    var count = needed
    while count <= limits.most.load() {
      if let result = self.current(key(count)), !result.isExact { return result }
      count *= 2
    }
    let near = NearRows(plan: plan, place: window.isFromEnd ? .last(needed) : .first(needed))
    return try add(
      LiveResult(near, reserve: needed, sharedBy: key(needed), in: store, among: self),
      of: key(needed))
  }

  /// Returns a new result of the rows around one, for one follower, or nil if all rows have to be
  /// kept for the window.
  ///
  /// It throws `StoreError.notFound` if the row isn't in the result.
  func rows(
    around anchor: WindowAnchor, of query: QueryDescription, in store: Store
  ) throws -> LiveResult? {
    let plan = plan(of: query)
    let limits = NearRowsLimits.of(store)
    guard limits.allow(anchor), NearRows.canServeAround(plan) else { return nil }
    var key = plan.query
    key.offset = -1 - limits.number.add(1)
    let reserve = max(limits.least.load(), anchor.before + anchor.after)
    return try add(
      LiveResult(
        NearRows(plan: plan, place: .around), reserve: reserve, around: anchor, sharedBy: key,
        in: store, among: self),
      of: key)
  }
}

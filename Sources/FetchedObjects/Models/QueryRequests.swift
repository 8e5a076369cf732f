@_spi(Storage) internal import EntityStore
internal import Locking

/// The query of a model, and the requests for other queries and windows.
///
/// `setQuery` and `setWindow` of both models that follow a query make their requests here. They
/// differ only in the query that they make.
final class QueryRequests<E: Entity>: Sendable {
  /// A closure that changes the model's follower to the query that `query` returns.
  ///
  /// It calls `query` once, when no other request is running, and `note` once the change is
  /// certain. If `isReplaced` returns true, nothing happens, and it returns false.
  typealias Setting =
    @Sendable (
      _ query: () -> QueryDescription, _ anchor: WindowAnchor?, _ isReplaced: () -> Bool,
      _ note: () -> Void
    ) throws -> Bool

  private let current: Locked<Query<E>>
  /// The requests off the caller's actor.
  private let latest = LatestRequest()
  private let setting: Setting
  /// A closure that reports that the query has changed.
  private let report: @Sendable () -> Void

  init<Row>(_ query: Query<E>, of core: ListCore<Row>, _ setting: @escaping Setting) {
    current = Locked(query)
    self.setting = setting
    report = { core.queryHasChanged() }
  }

  /// The query that was set last.
  var query: Query<E> { current.withLock { $0 } }

  /// Replaces the requests that wait or run off the caller's actor.
  func replace() { latest.replace() }

  /// Changes to the query that `change` makes of the one that was set last, with a window around
  /// `anchor` if it isn't nil.
  ///
  /// - Throws: `StoreError` if the result can't be read. The model then stays as it was.
  func set(
    around anchor: WindowAnchor? = nil, _ change: (Query<E>) -> Query<E>
  ) throws {
    replace()
    try carryOut(change, around: anchor, unless: { false })
  }

  /// Changes to another query like `set`, but reads off the caller's actor and doesn't block it.
  ///
  /// - Returns: True if the query has been set. False if a later request has replaced this one.
  /// - Throws: `CancellationError` if the task is cancelled before the result is read, or an error
  ///   of `set`.
  nonisolated(nonsending) func setAsync(
    around anchor: WindowAnchor? = nil, _ change: @escaping @Sendable (Query<E>) -> Query<E>
  ) async throws -> Bool {
    try await latest.run { isReplaced in
      try await Task.detached { [self] in
        try carryOut(change, around: anchor, unless: isReplaced)
      }.value
    }
  }

  /// Changes to a query that is made once no other request is running.
  @discardableResult
  private func carryOut(
    _ change: (Query<E>) -> Query<E>, around anchor: WindowAnchor?, unless isReplaced: () -> Bool
  ) throws -> Bool {
    var next = query
    func description() -> QueryDescription {
      next = change(query)
      return next.description
    }
    let isSet = try setting(description, anchor, isReplaced) { current.withLock { $0 = next } }
    if isSet { report() }
    return isSet
  }
}

internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// What cache trackers of every kind are made of: who tells what changes in a list, and what makes batches of it.
///
/// A tracker says what its list is and what its batches carry, and gives the core the sources that it follows.
struct TrackerCore<E: Entity, List: TrackedList, Output: Sendable>: Sendable {
  typealias Teller = ListTeller<List, CacheRequest<E>>
  typealias Outlet = BatchOutlet<E, List, Output>

  let store: Store
  let delivery: Delivery
  let outlet: Outlet
  let teller: Teller

  /// Creates the core of a tracker that follows nothing yet; `outlet.belong(to:)` names the tracker.
  ///
  /// - Parameters:
  ///   - store: Where the objects live.
  ///   - delivery: Where batches are made and delivered.
  ///   - output: Makes what batches carry of the object at a path.
  init(
    in store: Store, delivery: Delivery, output: @escaping @Sendable (List, ListPath) -> Output
  ) {
    self.store = store
    self.delivery = delivery
    let outlet = Outlet(output: output)
    self.outlet = outlet
    teller = outlet.teller(queue: store.queue(of: delivery))
  }

  /// The current list as a batch of insertions, from which the batches that follow lead on.
  func pull() -> CacheTransactionBatch<Output> {
    guard let (list, request) = teller.pull() else { return CacheTransactionBatch() }
    return outlet.initialBatch(of: list, request)
  }

  /// The titles of the sections of the list that is shown.
  var sectionTitles: [String] { teller.shown?.sectionTitles ?? [] }
}

extension TrackerCore where List == CommittedList {
  /// Reads a request's list, and follows what commits say of it.
  ///
  /// - Parameters:
  ///   - request: What is followed.
  ///   - keepsObjects: Whether the list has the objects, too.
  ///   - touched: Is called on the committing thread with the ids that a commit may concern, or nil for any.
  ///   - willTell: Is called before each step, in the tracker's place.
  /// - Returns: What follows it, for the teller.
  /// - Throws: What reading throws.
  func source(
    of request: CacheRequest<E>, keepsObjects: Bool,
    touched: @escaping @Sendable ([StoredValue]?) -> Void = { _ in },
    willTell: @escaping @Sendable () -> Void = {}
  ) throws -> CommitFollower {
    request.checkWhole()
    let source = CommitFollower(
      CommittedPlan(request.query.description, keepsObjects: keepsObjects), delivery: delivery,
      touched: touched,
      shown: { [weak teller] in teller?.show($1, from: $0) },
      tell: { [weak teller] in
        willTell()
        teller?.tell()
      },
      error: { [weak outlet] in outlet?.errors.send($0) })
    try source.start(in: store)
    return source
  }
}

extension CacheRequest {
  /// Traps if the request is for a part of a result.
  fileprivate func checkWhole() {
    mustHold(
      query.description.limit == nil && query.description.offset == 0,
      "A list that is kept from commits is a whole result; leave .limit out of the request's query, or use a "
        + "FetchedObjectsCacheTracker")
  }
}

extension ListTeller where List == CommittedList {
  /// Shows a step of a list that is kept from commits.
  fileprivate func show(_ event: CommitFollower.Event, from source: CommitFollower) {
    let (before, after, changes) = event
    show(
      Event(
        before: before, after: after,
        changes: {
          changes.map { before.changes(to: after, $0) } ?? before.changes(to: after)
        }),
      from: source)
  }
}

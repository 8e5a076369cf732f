@_spi(Storage) @_spi(Inspection) public import EntityStore
@_spi(Inspection) internal import FetchedObjects
internal import Locking
internal import Relays

/// A look into a running store: its lists and models, its last commits with their times and costs,
/// the history of an object, and the reasons why an object is in a list or isn't.
///
///     let inspector = Inspector(store)
///     for list in inspector?.lists ?? [] { print(list.query, list.rowCount) }
///
/// It answers the questions of somebody whose list is slow or wrong. There is no HTTP in it;
/// ``answer(_:_:_:)`` makes what a server sends to the inspector's page.
///
/// An inspector is made in debug builds only, unless it is asked for in release. Without one, a
/// commit pays for a look at the number of subscriptions. With one, the steps of each commit are
/// measured, and the last commits are kept, with the rows that they changed. It ends when it is
/// released. Any thread can use it.
public final class Inspector: Sendable {
  let store: Store
  private let start = ContinuousClock.now
  private let records: Locked<CommitRecords>
  /// The work of each list at the last record.
  private let works = Locked<[Int: ResultWork]>([:])
  private let subscriptions = SubscriptionBag()

  /// The most objects of a commit that are shown.
  private static let changeLimit = 100

  /// Starts to inspect a store, or returns nil in a release build.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - limit: The number of commits that are kept.
  ///   - isForRelease: True if a release build is inspected, too.
  /// - Precondition: `limit` is 1 or more.
  public init?(_ store: Store, keeping limit: Int = 200, inRelease isForRelease: Bool = false) {
    #if !DEBUG
    if !isForRelease { return nil }
    #endif
    mustHold(limit > 0, "An inspector that keeps \(limit) commits; use 1 or more")
    self.store = store
    records = Locked(CommitRecords(limit: limit))
    _ = costs()
    store.commits.subscribe { [weak self] in self?.take($0) }.store(in: subscriptions)
    store.commitTimes.subscribe { [weak self] in self?.take($0) }.store(in: subscriptions)
  }

  private func take(_ commit: Commit) {
    let costs = costs()
    let time = ContinuousClock.now - start
    let old = records.withLock { $0.add(commit, costs, at: time) }
    // Their rows are released here, where no lock is held.
    withExtendedLifetime(old) {}
  }

  private func take(_ times: Commit.Times) {
    let time = ContinuousClock.now - start
    let old = records.withLock { $0.add(times, at: time) }
    withExtendedLifetime(old) {}
  }

  /// Returns the work of each list since the last call, of those that did any.
  private func costs() -> [InspectedCost] {
    let current = store.liveWork
    let next = Dictionary(current.map { ($0.serial, $0.work) }) { $1 }
    let before = works.withLock { works in
      defer { works = next }
      return works
    }
    return current.compactMap { list in
      let old = before[list.serial]
      let cost = InspectedCost(
        list: String(list.serial), candidates: list.work.candidates - (old?.candidates ?? 0),
        comparisons: list.work.comparisons - (old?.comparisons ?? 0),
        changes: list.work.changes - (old?.changes ?? 0),
        fetches: list.work.fetches - (old?.fetches ?? 0))
      return cost.candidates + cost.comparisons + cost.changes + cost.fetches == 0 ? nil : cost
    }
  }

  /// The time since the inspector was made.
  var age: Duration { ContinuousClock.now - start }

  // MARK: Commits

  /// True if commits aren't recorded.
  ///
  /// So what is recorded stays while somebody reads it.
  public var isPaused: Bool {
    get { records.withLock { $0.isPaused } }
    set { records.withLock { $0.isPaused = newValue } }
  }

  /// The number of commits that weren't recorded because of a pause.
  public var missedCommitCount: Int { records.withLock { $0.missed } }

  /// Returns the recorded commits after the one with a number, oldest first.
  ///
  /// - Parameter number: The number of the last record that is known, or 0 for all.
  /// - Returns: The commits. One whose times aren't known yet comes with a later call, and so do
  ///   those after it.
  /// - Complexity: O(*k*) where *k* is the number of objects that they changed.
  public func commits(after number: Int = 0) -> [InspectedCommit] {
    let age = age
    // The times come when all subscribers have returned. Those of a commit whose sync has failed
    // never come.
    return records.withLock { $0.records }.filter { $0.number > number }
      .prefix { $0.isComplete || age - $0.time > .seconds(10) }
      .map { InspectedCommit($0, changeLimit: Self.changeLimit) }
  }

  /// Returns the changes of an object in the recorded commits, oldest first.
  ///
  /// - Complexity: O(*c* log *k*) for *c* recorded commits of *k* objects each.
  public func history(of object: ObjectID) -> [InspectedChange] {
    records.withLock { $0.records }.compactMap(\.commit).flatMap { commit in
      commit.changes.tables.filter { $0.entity.name == object.entityName }.compactMap { table in
        table[object.id].map { InspectedChange($0, of: table.entity, version: commit.version) }
      }
    }
  }

  // MARK: Lists

  /// The lists that the store keeps up to date, in the order of their queries.
  public var lists: [InspectedList] { store.liveResults.map(InspectedList.init) }

  /// Returns how the query of a list is answered when it is read, or nil if there is no such list.
  ///
  /// - Parameter id: The id of the list.
  /// - Returns: The plan as text: what the storage does, and what is done here.
  /// - Throws: ``/EntityStore/StoreError`` if the storage can't be read.
  public func plan(ofList id: String) throws -> String? {
    guard let query = liveList(id)?.query else { return nil }
    return try store.withStorageReader {
      try $0.explain(store.pinned(FetchPlan(query), for: $0)).description
    }
  }

  func liveList(_ id: String) -> LiveResultInfo? {
    store.liveResults.first { $0.listID == id }
  }
}

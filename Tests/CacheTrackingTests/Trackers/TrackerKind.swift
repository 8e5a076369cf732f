import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

/// The implementations that pass one suite (F10).
enum TrackerKind: String, CaseIterable, Sendable {
  case results
  case refetching
  case indexOnly

  /// A tracker whose rows have the owner's name if the query includes it.
  func make(
    _ store: Store, delivery: Delivery = .immediate, includesOwner: Bool = false
  ) -> TestTracker {
    let counter = Counter()
    let transform: @Sendable (EntityView<Car>) -> PlainRow = { car in
      counter.add()
      return plain(car, includesOwner: includesOwner)
    }
    switch self {
    case .results:
      return TestTracker(
        FetchedObjectsCacheTracker<Car, PlainRow>(
          in: store, delivery: delivery, transform: transform), counter)
    case .refetching:
      return TestTracker(
        RefetchingCacheTracker<Car, PlainRow>(in: store, delivery: delivery, transform: transform),
        counter)
    case .indexOnly:
      return TestTracker(
        IndexOnlyCacheTracker<Car, PlainRow>(
          in: store, delivery: delivery, cacheCapacity: 4, transform: transform), counter)
    }
  }
}

/// A batch of any tracker, with the rows that it is applied with.
struct TestBatch: Sendable {
  let changes: ListChanges
  let filterValue: String?
  let objectTypes: Set<String>
  let isEmpty: Bool
  /// What the deleted rows were last, by their old paths; empty if the tracker gives positions only.
  let deleted: [ListPath: PlainRow]
  let fresh: [ListPath: PlainRow]
  let titles: [String]
  /// The paths of each kind, in the order of the batch.
  let paths: [[ListPath]]

  /// Brings a consumer's list up to date by D2.
  func apply(to list: inout PlainList) throws {
    try changes.applyIfValid(to: &list, header: { titles[$0] }) { path in
      try #require(fresh[path], "There is no row for \(path) of \(changes)")
    }
  }
}

/// A tracker of any kind.
final class TestTracker: Sendable {
  typealias Setup = @Sendable (CacheRequest<Car>) throws -> Void

  let setup: Setup
  let start: Setup
  let pull: @Sendable () -> TestBatch
  let batches: Signal<TestBatch>
  let errors: Signal<any Error>
  let titles: @Sendable () -> [String]
  let request: @Sendable () -> CacheRequest<Car>?
  let transforms: Counter
  /// The tracker itself.
  let base: any CacheTracker

  convenience init<Tracker: CacheTracker>(_ tracker: Tracker, _ counter: Counter)
  where Tracker.E == Car, Tracker.Output == PlainRow {
    self.init(tracker, counter) { [unowned tracker] batch in
      TestBatch(
        batch, titles: tracker.sectionTitles,
        deleted: rows(batch.deleteTransactions) { $0.oldIndexPath },
        fresh: rows(
          batch.insertTransactions + batch.updateTransactions + batch.moveTransactions
        ) { $0.updatedIndexPath })
    }
  }

  convenience init(_ tracker: IndexOnlyCacheTracker<Car, PlainRow>, _ counter: Counter) {
    self.init(tracker, counter) { [unowned tracker] batch in
      let paths = [batch.insertTransactions, batch.updateTransactions, batch.moveTransactions]
        .flatMap { $0 }.compactMap(\.updatedIndexPath)
      // The rows are asked for while the batch is told, for its paths are those of the list then.
      let rows = (try? tracker.objects(at: paths)) ?? []
      let missing = PlainRow(id: -1, model: "", year: 0)
      return TestBatch(
        batch, titles: tracker.sectionTitles, deleted: [:],
        fresh: Dictionary(uniqueKeysWithValues: zip(paths, rows.map { $0 ?? missing })))
    }
  }

  private init<Tracker: CacheTracker>(
    _ tracker: Tracker, _ counter: Counter,
    _ batch: @escaping @Sendable (CacheTransactionBatch<Tracker.Output>) -> TestBatch
  ) where Tracker.E == Car {
    setup = { try tracker.setup(with: $0) }
    start = { try tracker.start(with: $0) }
    pull = { batch(tracker.transactionBatchFromCurrentCache()) }
    batches = tracker.batches.map(batch)
    errors = tracker.errors
    titles = { tracker.sectionTitles }
    request = { tracker.request }
    transforms = counter
    base = tracker
  }
}

extension TestBatch {
  init<Output>(
    _ batch: CacheTransactionBatch<Output>, titles: [String], deleted: [ListPath: PlainRow],
    fresh: [ListPath: PlainRow]
  ) {
    let kinds = [
      batch.insertTransactions, batch.updateTransactions, batch.deleteTransactions,
      batch.moveTransactions,
    ]
    self.init(
      changes: batch.changes, filterValue: batch.filterValue,
      objectTypes: Set(kinds.flatMap { $0.map(\.objectType) }), isEmpty: batch.isEmpty,
      deleted: deleted, fresh: fresh, titles: titles,
      paths: kinds.map { $0.compactMap { $0.updatedIndexPath ?? $0.oldIndexPath } })
  }
}

/// Keeps a list of its own, to which it applies what a tracker tells.
final class Consumer: Sendable {
  private struct State: Sendable {
    var list: PlainList
    var batches: [TestBatch] = []
    var failures: [String] = []
  }

  private let state: Locked<State>
  private let token = Locked<SubscriptionToken?>(nil)

  /// A consumer of a list, which has no row yet.
  init(_ tracker: TestTracker, isSectioned: Bool = false) {
    state = Locked(State(list: isSectioned ? [] : [ListSection(header: "", rows: [])]))
    let token = tracker.batches.subscribe { [weak self] in self?.take($0) }
    self.token.withLock { $0 = token }
  }

  func take(_ batch: TestBatch) {
    state.withLock { state in
      do {
        for (path, row) in batch.deleted where state.list[path].id != row.id {
          state.failures.append("\(row) isn't what \(path) was")
        }
        try batch.apply(to: &state.list)
      } catch {
        state.failures.append("\(error) in \(batch.changes)")
      }
      state.batches.append(batch)
    }
  }

  var list: PlainList { state.withLock { $0.list } }
  var ids: [[Int]] { list.map { $0.rows.map(\.id) } }
  var batches: [TestBatch] { state.withLock { $0.batches } }
  var failures: [String] { state.withLock { $0.failures } }
}

extension OracleQuery {
  /// The list by hand, as a consumer has it.
  func expectedList(_ store: Store) throws -> PlainList {
    let (cars, people) = try store.read { reader in
      (try reader.fetch(Query<Car>()), try reader.fetch(Query<Person>()))
    }
    let owners = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) })
    let byID = Dictionary(uniqueKeysWithValues: cars.map { ($0.id, $0) })
    return try expected(store).map { section, ids in
      let rows = ids.compactMap { byID[$0] }.map { car in
        PlainRow(
          id: car.id, model: car.model, year: car.year, owner: car.owner?.id,
          ownerName: includesOwner ? car.owner.flatMap { owners[$0.id]?.name } : nil)
      }
      let title = isSectioned ? rows.first?.ownerName ?? "" : ""
      return ListSection(header: title, rows: rows)
    }
  }
}

extension RandomWriter {
  /// Makes a commit, unless it leaves a car with an owner that isn't there: then nothing has happened.
  mutating func commitIfAllowed(_ store: Store) throws {
    do {
      try commit(store)
    } catch StoreError.missingReference {
    }
  }
}

private func rows(
  _ transactions: [CacheTransaction<PlainRow>],
  at path: (CacheTransaction<PlainRow>) -> ListPath?
) -> [ListPath: PlainRow] {
  Dictionary(
    uniqueKeysWithValues: transactions.compactMap { transaction in
      path(transaction).map { ($0, transaction.object) }
    })
}

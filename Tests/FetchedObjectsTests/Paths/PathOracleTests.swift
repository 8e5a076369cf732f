import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import ListDiffing
import ListFixtures
import Locking
import Relays
import Testing
import TestSupport

/// An actor that is busy while it runs what it is given.
private actor BusyPlace {
  func run<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
    try body()
  }
}

/// A model of mates on its way through random commits, and what it must show.
///
/// It is told at once, or by `.coalesced` on an actor that is busy while commits are made.
private final class LivingMates: Sendable {
  /// What is known of the result, and how far it has been told.
  private struct State {
    /// The result by mate, after each commit.
    var history: [Int64: [OracleSection<MateRow>]] = [:]
    var last: [OracleSection<MateRow>]
    var merged = 0
    var told = 0
  }

  let oracle: PathQuery
  let model: FetchedObjectsModel<Mate>
  private let state: Locked<State>
  private let token = Locked<SubscriptionToken?>(nil)
  private let tally: Tally

  init(_ oracle: PathQuery, on actor: BusyPlace?, in store: Store, _ tally: Tally) throws {
    self.oracle = oracle
    self.tally = tally
    model = try FetchedObjectsModel(
      oracle.query, in: store, delivery: actor.map { .on($0) } ?? .immediate,
      policy: actor == nil ? .every : .coalesced)
    state = Locked(State(last: try oracle.expected(store)))
    let token = model.didChange.subscribe { [unowned self] event in check(event) }
    self.token.withLock { $0 = token }
  }

  /// Notes what the result must be after a commit, before anybody is told of it.
  func note(_ version: Int64, _ store: Store) throws {
    let expected = try oracle.expected(store)
    state.withLock { $0.history[version] = expected }
  }

  /// Checks an event while it is told.
  private func check(_ event: ListEvent<EntityView<Mate>>) {
    let trace = "\(oracle.name), \(event)"
    let (before, noted) = state.withLock {
      ($0.last, $0.history[event.versions.upperBound])
    }
    guard let after = noted else {
      Issue.record("\(trace): F2, an event of a commit that nobody made")
      return
    }
    #expect(shown(event.before) == before.map(\.shown), "\(trace): events don't lead on")
    #expect(shown(event.after) == after.map(\.shown), "\(trace): after")
    #expect(shown(model.snapshot) == after.map(\.shown), "\(trace): F2, what the model shows")
    if let included = oracle.included {
      #expect(
        event.after.rows.map(included) == after.flatMap { $0.rows.map(\.values) },
        "\(trace): what comes with the rows")
    }
    ListOracle(isSectioned: oracle.isSectioned).check(before, event.changes, after, trace)
    tally.count("callbacks")
    tally.count(oracle.name, event.changes.count)
    tally.count(event.changes)
    if event.versions.count > 1 { tally.count("merged on a busy actor") }
    state.withLock { state in
      state.last = after
      state.told += 1
    }
  }

  /// At rest: everything has been told, and the model shows the result.
  func checkAtRest(_ store: Store, _ trace: String) throws {
    let expected = try oracle.expected(store).map(\.shown)
    #expect(shown(model.snapshot) == expected, "\(trace): \(oracle.name) at rest")
    #expect(state.withLock { $0.last }.map(\.shown) == expected, "\(trace): \(oracle.name) told")
    #expect(model.error == nil)
  }

  private func shown(_ snapshot: ListSnapshot<EntityView<Mate>>) -> [OracleSection<MateRow>] {
    snapshot.sections.map { section in
      OracleSection(
        identity: section.identity, title: section.name, rows: section.map { MateRow($0) })
    }
  }
}

extension OracleSection where Row == MateRow {
  /// What can be seen of it in a snapshot.
  fileprivate var shown: OracleSection {
    OracleSection(identity: identity, title: title, rows: rows.map(\.shown))
  }
}

@Suite(.oneThread) struct PathOracleTests {
  /// The lives for each query.
  private static let lives = seeds(40)

  private static let kinds =
    PathQuery.all.map(\.name) + [
      "deletes", "inserts", "moves", "updates", "deleted sections", "inserted sections",
      "callbacks", "merged on a busy actor",
    ]

  @Test func `F2 F3 F4 F5 F6: results over two steps and over many are exact, merged or not`()
    async throws
  {
    let tally = Tally(changesAnd: [])
    for seed in Self.lives {
      let storages = TestStorage.withServer + [.far]
      let storage = storages[seed % storages.count]
      let store = try storage.makeStore([Depot.self, Crew.self, Mate.self])
      var writer = CrewWriter(random: SeededGenerator(seed: seed + 77))
      for _ in 0..<6 { try writer.commit(store) }
      let place = BusyPlace()
      let mates = try PathQuery.all.flatMap { oracle in
        [
          try LivingMates(oracle, on: nil, in: store, tally),
          try LivingMates(oracle, on: place, in: store, tally),
        ]
      }
      // The store's own subscribers come first, so that what is told can be compared.
      let token = store.commits.subscribe { commit in
        for mate in mates {
          do { try mate.note(commit.version, store) } catch { Issue.record(error) }
        }
      }
      for round in 0..<12 {
        writer = try await place.run { [writer] in
          var writer = writer
          for _ in 0..<Int.random(in: 1...4, using: &writer.random) { try writer.commit(store) }
          return writer
        }
        await store.flush()
        for mate in mates {
          try mate.checkAtRest(store, "\(storage), seed \(seed), round \(round)")
        }
      }
      withExtendedLifetime(token) {}
    }
    let words = Self.kinds.map { "\($0) \(tally[$0])" }.joined(separator: ", ")
    print("Lives over paths: \(Self.lives.count); \(words)")
    for kind in Self.kinds { #expect(tally[kind] > 0, "There was no case of \(kind)") }
  }
}

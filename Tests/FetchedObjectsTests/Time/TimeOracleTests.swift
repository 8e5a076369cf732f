@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import FoundationSupport
import ListDiffing
import ListFixtures
import Locking
import Relays
import Testing
import TestSupport

/// A chore with all that a query says of it at an instant.
private struct TimedRow: OracleRow, CustomStringConvertible {
  let chore: Chore
  let facts: [Bool]
  var id: Int { chore.id }
  var description: String { "\(chore.id) due \(chore.seconds ?? -1) \(facts)" }
}

/// A query with conditions of time, and what it means.
private struct TimeForm: Sendable, CustomTestStringConvertible {
  typealias Lists = [Int: Double]

  let testDescription: String
  let query: Query<Chore>
  /// Whether a chore belongs to the result.
  let belongs: @Sendable (Chore, Lists, Double) -> Bool
  /// What the query reads of a chore that isn't an attribute of it.
  var facts: @Sendable (Chore, Lists, Double) -> [Bool] = { _, _, _ in [] }
  var isSectioned = false

  private static func due(_ chore: Chore, _ test: (Double) -> Bool) -> Bool {
    chore.seconds.map(test) ?? false
  }

  private static let chores = Query<Chore>().sorted { [$0.due.ascending] }

  static let all = [
    TimeForm(
      testDescription: "due", query: chores.filter { $0.due < Moment.now },
      belongs: { chore, _, now in due(chore) { $0 < now } }),
    TimeForm(
      testDescription: "due soon, by name",
      query: chores.filter { $0.due <= .now(adding: .seconds(2)) }.sectioned { $0.name },
      belongs: { chore, _, now in due(chore) { $0 <= now + 2 } }, isSectioned: true),
    TimeForm(testDescription: "not later", query: chores.filter { !($0.due > Moment.now) }) {
      chore, _, now in !due(chore) { $0 > now }
    },
    TimeForm(
      testDescription: "open, and not long ago",
      query: chores.filter {
        $0.isOpen
        $0.due >= .now(adding: .seconds(-1))
      },
      belongs: { chore, _, now in chore.isOpen && due(chore) { $0 >= now - 1 } }),
    TimeForm(
      testDescription: "named a, and due",
      query: chores.filter {
        $0.name == "a"
        $0.due < Moment.now
      },
      belongs: { chore, _, now in chore.name == "a" && due(chore) { $0 < now } }),
    TimeForm(
      testDescription: "within two seconds, or closed",
      query: chores.filter {
        ($0.due > Moment.now && $0.due < .now(adding: .seconds(2))) || !$0.isOpen
      },
      belongs: { chore, _, now in due(chore) { $0 > now && $0 < now + 2 } || !chore.isOpen }),
    TimeForm(
      testDescription: "in sections by being due",
      query: chores.sectioned { $0.due <= .now(adding: .seconds(1)) }
        .sorted { [$0.name.ascending] },
      belongs: { _, _, _ in true },
      facts: { chore, _, now in [due(chore) { $0 <= now + 1 }] }, isSectioned: true),
    TimeForm(
      testDescription: "late ones first",
      query: Query<Chore>().sorted { [($0.due < Moment.now).descending, $0.name.ascending] },
      belongs: { _, _, _ in true },
      facts: { chore, _, now in [due(chore) { $0 < now }] }),
    TimeForm(
      testDescription: "of lists that are open",
      query: chores.filter { $0.list.opens <= Moment.now },
      belongs: { chore, lists, now in
        (chore.list?.id).flatMap { lists[$0] }.map { $0 <= now } ?? false
      },
      // The list's time isn't shown, but it decides, so a change of it touches the row.
      facts: { chore, lists, _ in
        let opens = (chore.list?.id).flatMap { lists[$0] } ?? -1
        return (0..<40).map { opens * 2 - 180 > Double($0) }
      }),
  ]

  func rows(_ all: [Chore], _ lists: Lists, _ now: Double) -> Set<Int> {
    Set(all.filter { belongs($0, lists, now) }.map(\.id))
  }
}

/// A model, what it has told, and what it should show.
private final class TimeWatch: Sendable {
  let model: FetchedObjectsModel<Chore>
  private let form: Locked<TimeForm>
  private let told: Locked<[OracleSection<TimedRow>]>
  private let isNewQuery = AtomicWord(0)
  private let token = Locked<SubscriptionToken?>(nil)
  private let clock: SetClock
  private let store: Store
  private let tally: Tally
  private let trace = Locked("")
  let events = AtomicWord(0)

  init(_ form: TimeForm, _ clock: SetClock, _ store: Store, _ tally: Tally) throws {
    (self.clock, self.store, self.tally) = (clock, store, tally)
    self.form = Locked(form)
    model = try FetchedObjectsModel(form.query, in: store)
    told = Locked([])
    let first = try sections(of: model.snapshot)
    told.withLock { $0 = first }
    let token = model.didChange.subscribe { [unowned self] event in check(event) }
    self.token.withLock { $0 = token }
  }

  private func lists() throws -> TimeForm.Lists {
    Dictionary(
      uniqueKeysWithValues: try store.fetch(Query<ChoreList>())
        .map { ($0.id, $0.opens.timeIntervalSince1970) })
  }

  private func sections(
    of snapshot: ListSnapshot<EntityView<Chore>>
  ) throws -> [OracleSection<TimedRow>] {
    let (form, lists) = (form.withLock { $0 }, try lists())
    return snapshot.sections.map { section in
      OracleSection(
        identity: section.identity, title: section.name,
        rows: section.map {
          TimedRow(chore: $0.value, facts: form.facts($0.value, lists, clock.now))
        })
    }
  }

  private func check(_ event: ListEvent<EntityView<Chore>>) {
    let old = told.withLock { $0 }
    guard let new = try? sections(of: event.after) else { return }
    let trace = trace.withLock { $0 }
    expectEqual(
      event.before.chores, old.flatMap(\.rows).map(\.chore), "\(trace): events lead on")
    let isNew = isNewQuery.load() != 0
    // What two queries read of other objects can't be compared, and only rows are.
    func plain(_ list: [OracleSection<TimedRow>]) -> [OracleSection<TimedRow>] {
      if !isNew { return list }
      return list.map { section in
        var plain = section
        plain.rows = section.rows.map { TimedRow(chore: $0.chore, facts: []) }
        return plain
      }
    }
    ListOracle(isSectioned: form.withLock { $0 }.isSectioned, isNewQuery: isNew)
      .check(plain(old), event.changes, plain(new), trace)
    told.withLock { $0 = new }
    events.add(1)
    tally.count(event.changes)
  }

  func setQuery(_ form: TimeForm) throws {
    isNewQuery.store(1)
    self.form.withLock { $0 = form }
    try model.setQuery(form.query)
    isNewQuery.store(0)
    // Without a difference there is no event, and other facts hold.
    let now = try sections(of: model.snapshot)
    told.withLock { $0 = now }
  }

  func check(_ trace: String) throws {
    self.trace.withLock { $0 = trace }
    let form = form.withLock { $0 }
    let words = "\(trace), \(form.testDescription)"
    let ids = model.fetchedObjects.map(\.id)
    expectEqual(
      Set(ids), form.rows(try store.fetch(Query<Chore>()), try lists(), clock.now), words)
    expectEqual(told.withLock { $0 }.flatMap(\.rows).map(\.id), ids, "\(words): told")
    let fresh = try ListSnapshot(form.query, in: store)
    expectEqual(
      model.sections.map(\.name) + ids.map(String.init),
      fresh.sections.map(\.name) + fresh.chores.map { "\($0.id)" }, "\(words): fetched")
    expectEqual(try store.count(form.query), ids.count, words)
    expectEqual(try store.fetch(form.query), fresh.chores, words)
  }
}

extension ListSnapshot<EntityView<Chore>> {
  fileprivate var chores: [Chore] { sections.flatMap { $0.map(\.value) } }
}

@Suite(.oneThread) struct TimeOracleTests {
  static func commit(_ store: Store, _ random: inout SeededGenerator) throws {
    func seconds() -> Double { Double(Int.random(in: 190...216, using: &random)) / 2 }
    try store.commit { draft in
      for id in 0..<3 where try draft.find(ChoreList.self, id) == nil {
        try draft.insert(ChoreList(id, opens: seconds()))
      }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let id = Int.random(in: 0..<8, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: if try draft.find(Chore.self, id) != nil { try draft.delete(Chore.self, id) }
        case 1: try draft.upsert(ChoreList(id % 3, opens: seconds()))
        case 2...3:
          // The date stays, and the chore may begin to concern a query.
          guard try draft.find(Chore.self, id) != nil else { continue }
          let name = ["a", "b"].randomElement(using: &random) ?? ""
          try draft.update(Chore.self, id) { $0.name = name }
        default:
          try draft.upsert(
            Chore(
              id, due: random.chance(0.8) ? seconds() : nil,
              name: ["a", "b"].randomElement(using: &random) ?? "", isOpen: random.chance(0.6),
              list: random.chance(0.5) ? Int.random(in: 0..<3, using: &random) : nil))
        }
      }
    }
  }

  @Test(arguments: TimeForm.all.indices, TestStorage.withServer)
  func `F17: after any commit and any step of the clock, a model shows what is true then`(
    _ place: Int, _ storage: TestStorage
  ) async throws {
    let tally = Tally(changesAnd: [])
    for seed in seeds(storage == .memory ? 100 : 12) {
      var random = SeededGenerator(seed: seed)
      let clock = SetClock()
      let store = try storage.makeChores(clock.source)
      for _ in 0..<4 { try Self.commit(store, &random) }
      let watch = try TimeWatch(TimeForm.all[place], clock, store, tally)
      for step in 0..<30 {
        let trace = "form \(place), \(storage), seed \(seed), step \(step)"
        try watch.check(trace)
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5: try Self.commit(store, &random)
        case 5..<8: clock.now += Double(Int.random(in: 1...4, using: &random)) / 2
        case 8:
          clock.now += Double(Int.random(in: -2...4, using: &random)) / 2
          try Self.commit(store, &random)
        case 9: clock.now -= Double(Int.random(in: 1...4, using: &random)) / 2
        case 10:
          watch.model.pause()
          for _ in 0..<3 {
            try Self.commit(store, &random)
            clock.now += 0.5
            await store.clockHasChanged()
          }
          watch.model.resume()
        default:
          try watch.setQuery(
            TimeForm.all[Int.random(in: TimeForm.all.indices, using: &random)])
        }
        await store.clockHasChanged()
      }
    }
    print("Time, form \(place), \(storage): \(tally.description)")
    for kind in ["deletes", "inserts"] { #expect(tally[kind] > 0, "No case of \(kind)") }
  }
}

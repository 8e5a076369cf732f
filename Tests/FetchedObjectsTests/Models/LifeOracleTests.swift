@_spi(Storage) import EntityStore
@testable import FetchedObjects
import Fixtures
import Foundation
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

/// One model on its way through random commits, and what it must show.
private final class LivingModel {
  var oracle: OracleQuery
  var offset = 0
  var limit: Int?
  /// Whether the window counts from the end.
  var isFromEnd: Bool
  let model: FetchedObjectsModel<Car>
  private let events: Recorder<ListEvent<EntityView<Car>>>
  private let token: SubscriptionToken
  private var told = 0
  private var last: PlainList
  var isPaused = false
  /// Set until the event of a new query or window has been checked.
  var isNewQuery = false

  init(
    _ oracle: OracleQuery, offset: Int, limit: Int?, fromEnd isFromEnd: Bool,
    policy: DeliveryPolicy, in store: Store, _ tally: Tally
  ) throws {
    self.isFromEnd = isFromEnd
    self.oracle = oracle
    self.offset = offset
    self.limit = limit
    var query = oracle.query
    if let limit {
      query = isFromEnd ? query.last(limit, offset: offset) : query.limit(limit, offset: offset)
    }
    model = try FetchedObjectsModel(query, in: store, policy: policy)
    token = model.didChange.subscribe { [weak model] event in
      if let model { Self.checkInside(event, model, tally) }
    }
    events = Recorder(model.didChange)
    last = plain(model.snapshot, includesOwner: false)
  }

  /// In the callback the model shows what the event leads to.
  private static func checkInside(
    _ event: ListEvent<EntityView<Car>>, _ model: FetchedObjectsModel<Car>, _ tally: Tally
  ) {
    let after = plain(event.after, includesOwner: false)
    #expect(plain(model.snapshot, includesOwner: false) == after, "F2, during \(event)")
    var list = plain(event.before, includesOwner: false)
    event.changes.apply(
      to: &list, header: { after[$0].header }, row: { plain(event.after[$0], includesOwner: false) }
    )
    #expect(list == after, "D2, \(event) leads elsewhere")
    tally.count("callbacks")
  }

  /// What has been told leads from what was shown to what is shown, which is what it must be.
  func check(_ store: Store, _ trace: String, _ tally: Tally) throws {
    let new = events.values.dropFirst(told)
    told += new.count
    if isPaused { expectEqual(new.count, 0, "\(trace): F6, told while paused") }
    for event in new {
      let check = EventOracle(
        includesOwner: oracle.includesOwner && !isNewQuery, isSectioned: oracle.isSectioned,
        isNewQuery: isNewQuery)
      #expect(
        plain(event.before, includesOwner: false) == last, "\(trace): events don't lead on")
      try check.check(event, trace)
      tally.count(event.changes)
      if event.versions.count > 1 { tally.count("net events") }
      last = plain(event.after, includesOwner: false)
    }
    let now = plain(model.snapshot, includesOwner: false)
    #expect(now == last, "\(trace): F2, a change without an event")
    if isPaused { return }
    isNewQuery = false
    let all = try oracle.expected(store)
    let count = all.reduce(0) { $0 + $1.ids.count }
    let before =
      isFromEnd && limit != nil ? max(0, count - offset - (limit ?? 0)) : min(offset, count)
    let shown = isFromEnd ? max(0, min(limit ?? count, count - offset)) : limit
    let expected = oracle.window(all, offset: before, limit: shown)
    #expect(model.sections.map(\.identity) == expected.map(\.section), "\(trace): sections")
    #expect(
      model.sections.map { $0.map(\.value.id) } == expected.map(\.ids), "\(trace): rows")
    #expect(model.snapshot.totalCount == count, "\(trace): F7, in all")
    #expect(model.snapshot.rowsBefore == before, "\(trace): F7, before")
    #expect(model.snapshot.count == expected.reduce(0) { $0 + $1.ids.count }, "\(trace): count")
    #expect(model.fetchedObjects.map(\.id) == expected.flatMap(\.ids), "\(trace): objects")
  }
}

/// Random lives of models: commits with rollbacks and from within callbacks, windows, pauses, other queries.
private struct Life {
  let store: Store
  /// The storage, if it can fail.
  private let faulty: FaultyStorage?
  let trace: String
  let tally: Tally
  var writer: RandomWriter
  var models: [LivingModel] = []

  init(_ storage: TestStorage, seed: Int, _ tally: Tally) throws {
    faulty = try seed % 4 < 2 ? FaultyStorage(storage.makeStorage()) : nil
    store = try faulty?.makeGarage() ?? storage.makeGarage()
    trace = "seed \(seed), \(storage)"
    // Windows with an index, of all rows, and of first rows that are used up.
    NearRowsLimits.of(store).most.store([0, 2048, 2048][seed % 3])
    NearRowsLimits.of(store).least.store([64, 64, 1][seed % 3])
    self.tally = tally
    writer = RandomWriter(random: SeededGenerator(seed: UInt64(seed)))
    for _ in 0..<3 { try writer.commit(store) }
    for _ in 0..<3 { try addModel() }
  }

  private mutating func random(_ range: Range<Int>) -> Int {
    Int.random(in: range, using: &writer.random)
  }

  private mutating func randomWindow() -> (offset: Int, limit: Int?, isFromEnd: Bool) {
    if random(0..<2) == 0 { return (0, nil, false) }
    let isFromEnd = random(0..<3) == 0
    tally.count("windows from the end", isFromEnd ? 1 : 0)
    return (random(0..<5), random(0..<6), isFromEnd)
  }

  private mutating func addModel() throws {
    let oracle = OracleQuery.all[random(0..<OracleQuery.all.count)]
    let (offset, limit, isFromEnd) = randomWindow()
    let policy: DeliveryPolicy = random(0..<2) == 0 ? .every : .coalesced
    if limit != nil { tally.count("windows") }
    if policy == .coalesced { tally.count("latest") }
    if oracle.isSectioned { tally.count("sections through a reference") }
    models.append(
      try LivingModel(
        oracle, offset: offset, limit: limit, fromEnd: isFromEnd, policy: policy, in: store, tally))
  }

  mutating func step(_ number: Int) throws {
    let trace = "\(trace), step \(number)"
    switch random(0..<13) {
    case 0:
      let model = models[random(0..<models.count)]
      model.isPaused.toggle()
      tally.count("pauses")
      if model.isPaused {
        model.model.pause()
      } else {
        let waiting = model.model.waitingEvent
        let told = Recorder(model.model.didChange)
        model.model.resume()
        #expect(told.values.map(\.changes) == (waiting.map { [$0.changes] } ?? []), "\(trace)")
        #expect(told.values.map(\.versions) == (waiting.map { [$0.versions] } ?? []), "\(trace)")
        #expect(model.model.waitingEvent == nil)
        if let waiting { tally.count("waiting events", waiting.changes.count) }
      }
    case 1:
      let model = models[random(0..<models.count)]
      model.oracle = OracleQuery.all[random(0..<OracleQuery.all.count)]
      (model.offset, model.limit, model.isFromEnd) = randomWindow()
      model.isNewQuery = true
      tally.count("new queries")
      let query = model.oracle.query.limited(
        offset: model.offset, limit: model.limit, fromEnd: model.isFromEnd)
      try model.model.setQuery(query)
    case 2:
      let model = models[random(0..<models.count)]
      (model.offset, model.limit, model.isFromEnd) = randomWindow()
      tally.count("new windows")
      if let limit = model.limit, model.isFromEnd {
        try model.model.setWindow(last: limit, offset: model.offset)
      } else {
        try model.model.setWindow(offset: model.offset, limit: model.limit)
      }
    case 3:
      tally.count("thrown")
      var writer = writer
      #expect(throws: Undone.self) {
        try store.commit { _ in
          try writer.commit(store)
          throw Undone()
        }
      }
    case 4: try commitFromCallback()
    case 5 where faulty != nil:
      tally.count("failed")
      faulty?.failCommit(of: writer, in: store)
    default:
      tally.count("commits")
      try writer.commit(store)
    }
    for (index, model) in models.enumerated() {
      try model.check(store, "\(trace), model \(index), \(model.oracle.name)", tally)
    }
  }

  /// A commit whose first event makes another.
  private mutating func commitFromCallback() throws {
    tally.count("commits in callbacks")
    var first = writer
    _ = first.random.next()
    let store = store
    let turns = Turns(writer)
    let token = models[0].model.didChange.subscribe { _ in turns.commit(store) }
    try first.commit(store)
    token.cancel()
    _ = writer.random.next()
  }

  struct Undone: Error {}

  /// Makes two commits, one when it is called and another when it is called for that.
  private final class Turns: Sendable {
    private let state: Locked<(left: Int, writer: RandomWriter)>

    init(_ writer: RandomWriter) { state = Locked((2, writer)) }

    func commit(_ store: Store) {
      let next = state.withLock { state -> RandomWriter? in
        guard state.left > 0 else { return nil }
        state.left -= 1
        _ = state.writer.random.next()
        return state.writer
      }
      guard var next else { return }
      do {
        try next.commit(store)
      } catch { Issue.record(error) }
    }
  }
}

@Suite(.oneThread) struct LifeOracleTests {
  private static let lives = seeds(240)

  @Test func `F2 to F7: whatever happens to models, each event is exact and each result right`()
    throws
  {
    let tally = Tally(changesAnd: [
      "commits", "commits in callbacks", "thrown", "failed", "pauses", "net events",
      "waiting events", "new queries", "windows from the end", "new windows", "windows",
      "sections through a reference", "latest", "callbacks",
    ])
    for seed in Self.lives {
      var life = try Life(seed % 10 == 9 ? .file : .memory, seed: seed, tally)
      for step in 0..<40 { try life.step(step) }
    }
    print("Lives of models: \(Self.lives.count); \(tally.description)")
    // A few lives don't see everything.
    if Self.lives.count >= 60 { tally.expectAll() }
  }
}

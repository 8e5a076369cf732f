@testable import EntityStore
import Locking
import Relays
import TestSupport
import Testing

@Suite struct `Changes are told to those whom they concern` {
  private struct Told: Sendable, Equatable {
    var version: Int64
    var inserted: [Int]
    var updated: [Int]
    var deleted: [Int]

    init(_ changes: EntityChanges<Vehicle>) {
      version = changes.version
      inserted = changes.inserted.map(\.id)
      updated = changes.updated.map(\.new.id)
      deleted = changes.deleted.map(\.id)
    }

    /// What a commit does to the objects of which a condition is true before or after.
    init?(_ commit: Commit, where belongs: (Vehicle) -> Bool) {
      let all = commit.changes(of: Vehicle.self)
      var told = Told(all)
      told.inserted = all.inserted.filter(belongs).map(\.id)
      told.updated = all.updated.filter { belongs($0.old) || belongs($0.new) }.map(\.new.id)
      told.deleted = all.deleted.filter(belongs).map(\.id)
      if told.inserted.isEmpty && told.updated.isEmpty && told.deleted.isEmpty { return nil }
      self = told
    }
  }

  /// A condition, and the same in plain Swift.
  private struct Case: Sendable {
    let subscribe: @Sendable (Store) -> Signal<EntityChanges<Vehicle>>
    let belongs: @Sendable (Vehicle) -> Bool

    init(
      _ condition: @escaping @Sendable (Row<Vehicle, Vehicle>) -> Condition<Vehicle>,
      _ belongs: @escaping @Sendable (Vehicle) -> Bool
    ) {
      subscribe = { $0.changes(of: Vehicle.self, where: condition) }
      self.belongs = belongs
    }
  }

  private static func cases() -> [Case] {
    var cases: [Case] = [
      Case({ $0.price == nil }, { $0.price == nil }),
      Case({ $0.price != nil }, { $0.price != nil }),
      Case({ !($0.year > 3) }, { $0.year <= 3 }),
      Case({ ($0.year == 1) || ($0.model == "b") }, { $0.year == 1 || $0.model == "b" }),
      Case({ ($0.year > 1) && ($0.model == "a") }, { $0.year > 1 && $0.model == "a" }),
      Case({ $0.price < 2.5 }, { $0.price.map { $0 < 2.5 } ?? false }),
    ]
    for low in 0..<6 {
      cases.append(Case({ $0.year == low }, { $0.year == low }))
      cases.append(Case({ $0.year >= low }, { $0.year >= low }))
      cases.append(Case({ $0.year < low }, { $0.year < low }))
      cases.append(
        Case({ [low, low + 2].contains($0.year) }, { [low, low + 2].contains($0.year) }))
      for high in low..<6 {
        cases.append(Case({ $0.year.in(low...high) }, { (low...high).contains($0.year) }))
        cases.append(Case({ $0.year.in(low..<high) }, { (low..<high).contains($0.year) }))
      }
    }
    return cases
  }

  @Test(arguments: 0..<10)
  func `S1: a condition's subscription gets what a plain filter of all commits gives`(_ seed: Int)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    let store = try TestStorage.memory.makeStore(Vehicle.self, Citizen.self, Maker.self)
    let cases = Self.cases()
    let commits = Recorder(store.commits)
    let told = cases.map { Recorder($0.subscribe(store)) }
    let one = Recorder(store.changes(of: Vehicle.self, 3))
    let all = Recorder(store.changes(of: Vehicle.self))
    for _ in 0..<60 {
      try store.commit { draft in
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let id = Int.random(in: 0..<8, using: &generator)
          if generator.chance(0.25) {
            if try draft.find(Vehicle.self, id) != nil { try draft.delete(Vehicle.self, id) }
            continue
          }
          let price = generator.chance(0.3) ? nil : Double.random(in: 0..<5, using: &generator)
          try draft.upsert(
            Vehicle(
              id: id,
              model: ["a", "b", "c"].randomElement(using: &generator).map { "\($0)" } ?? "",
              year: id * 10 + Int.random(in: 0..<7, using: &generator), price: price))
        }
        // Years of one digit are what conditions are about.
        try draft.updateAll(Query<Vehicle>().filter { $0.year > 9 }) { vehicle in
          vehicle.model += "\(vehicle.id)"
          vehicle.year %= 10
        }
      }
    }
    for (index, (recorder, condition)) in zip(told, cases).enumerated() {
      let expected = commits.values.compactMap { Told($0, where: condition.belongs) }
      expectEqual(recorder.values.map(Told.init), expected)
      if index < 3 { #expect(!expected.isEmpty) }
    }
    #expect(all.values.map(Told.init) == commits.values.compactMap { Told($0) { _ in true } })
    #expect(one.values.map(Told.init) == commits.values.compactMap { Told($0) { $0.id == 3 } })
  }

  @Test func `R4: a cancelled or dropped subscription is told nothing more and leaves nothing`()
    throws
  {
    let store = try TestStorage.memory.makeStore(Vehicle.self, Citizen.self, Maker.self)
    let count = Recorder(store.commits)
    for way in 0..<3 {
      try LifetimeTracker.check { tracker in
        let object = tracker.track()
        let signal =
          switch way {
          case 0: store.changes(of: Vehicle.self)
          case 1: store.changes(of: Vehicle.self, 1)
          default: store.changes(of: Vehicle.self) { $0.year == 1 }
          }
        let token = signal.subscribe { _ in _ = object }
        #expect(!store.registry.withLock { $0.isEmpty })
        try store.commit { try $0.upsert(Vehicle(id: 1, model: "\(way)", year: 1)) }
        token.cancel()
        #expect(store.registry.withLock { $0.isEmpty })
        try store.commit { try $0.upsert(Vehicle(id: 1, model: "x\(way)", year: 1)) }
      }
    }
    #expect(count.values.count == 6)
  }

  @Test func `R6: a subscription doesn't keep its store, and loops end with it`() async throws {
    var store: Store? = try TestStorage.memory.makeStore(Vehicle.self, Citizen.self, Maker.self)
    weak let kept = store
    let values = try #require(store).changes(of: Vehicle.self).values()
    let loop = Task {
      var versions: [Int64] = []
      for await changes in values { versions.append(changes.version) }
      return versions
    }
    let token = store?.changes(of: Vehicle.self).subscribe { _ in }
    while store?.registry.withLock({ $0.everybody().count }) != 2 { await Task.yield() }
    try store?.commit { try $0.insert(Vehicle(id: 1, model: "", year: 1)) }
    store = nil
    #expect(kept == nil)
    #expect(await loop.value == [1])
    token?.cancel()
  }

  @Test func `S6: a condition on related objects is refused`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store(
        .inMemory, entities: [Vehicle.self, Citizen.self, Maker.self])
      _ = store.changes(of: Vehicle.self) { $0.owner.name == "Ann" }
    }
    trap.expectMessage("reads related objects; use a query")
  }

  @Test func `Intervals are found by the values in them`() {
    withEvery("seed", in: 0..<300) { seed in
      var generator = SeededGenerator(seed: seed)
      var index = IntervalIndex()
      var plain: [Int: ValueBounds] = [:]
      for number in 0..<150 {
        if generator.chance(0.3), let gone = plain.keys.randomElement(using: &generator) {
          plain[gone] = nil
          index.remove(gone)
        }
        var bounds = ValueBounds()
        if generator.chance(0.8) {
          bounds.lower = ValueBounds.Bound(
            value: .integer(.random(in: 0..<20, using: &generator)),
            isIncluded: generator.chance(0.5))
        }
        if generator.chance(0.8) {
          bounds.upper = ValueBounds.Bound(
            value: .integer(.random(in: 0..<20, using: &generator)),
            isIncluded: generator.chance(0.5))
        }
        plain[number] = bounds
        index.insert(bounds, number)
        let value = StoredValue.integer(.random(in: -1...20, using: &generator))
        var found: [Int] = []
        index.forEach(containing: value) { found.append($0) }
        expectEqual(found.sorted(), plain.filter { $0.value.contains(value) }.keys.sorted())
      }
    }
  }
}

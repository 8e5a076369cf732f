@_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import EntityStore

/// Many models, large results, commits of all rows.
@Suite(.large) struct ScaleTests {
  private let byModel = Query<Car>().sorted { [$0.model.ascending] }

  @Test
  func `F12: of ten thousand models a commit asks the one it concerns, and none is left over`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    var models = try (0..<10_000).map { year in
      try FetchedObjectsModel(byModel.filter { $0.year == year }, in: store)
    }
    let before = models.map(\.work)
    let told = Counter()
    var tokens = models.map { $0.didChange.subscribe { _ in told.add() } }
    try store.commit { try $0.insert(Car(id: 10, model: "A", year: 7777, owner: nil)) }
    let asked = models.indices.filter { models[$0].work.commits != before[$0].commits }
    #expect(asked == [7777])
    #expect(models[7777].work.commits - before[7777].commits == 1)
    #expect(told.value == 1 && models[7777].snapshot.count == 1)
    weak let kept = models[7777]
    // The token doesn't keep its model.
    models.removeAll()
    #expect(kept == nil)
    #expect(store.registry.withLock { $0.isEmpty })
    try store.commit { try $0.delete(Car.self, 10) }
    #expect(told.value == 1)
    tokens.removeAll()
    // Nor is a result left that the next model would find.
    let next = try FetchedObjectsModel(byModel.filter { $0.year == 7777 }, in: store)
    #expect(next.work.fetches == 1 && next.work.commits == 0)
  }

  @Test(arguments: [false, true])
  func `F3: a commit that moves all of 20,000 rows is reported exactly, with the fewest moves`(
    _ isSectioned: Bool
  ) throws {
    let count = 20_000
    var generator = SeededGenerator(number: 11)
    let store = try TestStorage.memory.makeGarage()
    let people = 50
    var rows = (0..<count).map { id in
      Car(id: id, model: "m", year: id, owner: Ref(id % people))
    }
    try store.commit { draft in
      for id in 0..<people { try draft.insert(Person(id: id, name: "\(100 + id)", age: nil)) }
      for row in rows { try draft.insert(row) }
    }
    var query = Query<Car>().sorted { [$0.year.ascending] }
    if isSectioned { query = query.sectioned { $0.owner.name } }
    let model = try FetchedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    let years = (0..<count).shuffled(using: &generator)
    for id in 0..<count {
      rows[id].year = -1 - years[id]
      // A third of them go to another section.
      if id % 3 == 0 { rows[id].owner = Ref((id + 1) % people) }
    }
    let comparisons = model.work.comparisons
    try store.commit { draft in
      for row in rows { try draft.upsert(row) }
    }
    let event = try #require(events.values.first)
    #expect(events.values.count == 1)
    #expect(model.work.changes == count && model.work.fetches == 1)
    // Each number is its own key, so rows needn't be compared by what they hold.
    #expect(model.work.comparisons - comparisons <= count * 18)

    try event.changes.validate(old: event.before.rowCounts, new: event.after.rowCounts)
    let old = plain(event.before, includesOwner: false)
    let new = plain(event.after, includesOwner: false)
    var list = old
    event.changes.apply(to: &list) {
      new[$0].header
    } row: {
      new[$0.section].rows[$0.row]
    }
    #expect(list == new)
    // The result, found anew.
    let naive = Dictionary(grouping: rows) { isSectioned ? "\(100 + ($0.owner?.id ?? 0))" : "" }
      .sorted { $0.key < $1.key }
    #expect(new.map(\.header) == naive.map(\.key))
    #expect(
      new.map { $0.rows.map(\.id) } == naive.map { $0.value.sorted { $0.year < $1.year }.map(\.id) }
    )
    // Of those that are in one section before and after, as many stay as the longest run has.
    var stay = 0
    let newPlaces = Dictionary(
      uniqueKeysWithValues: new.enumerated().flatMap { section, info in
        info.rows.enumerated().map { ($0.element.id, (section: section, row: $0.offset)) }
      })
    for (section, info) in old.enumerated() {
      stay += longestRun(
        info.rows.compactMap { newPlaces[$0.id] }.filter { $0.section == section }.map(\.row))
    }
    #expect(event.changes.deletes.isEmpty && event.changes.inserts.isEmpty)
    #expect(event.changes.updates.count == stay)
    #expect(event.changes.moves.count == count - stay)
  }

  /// The length of the longest ascending run, by the smallest end of each length.
  private func longestRun(_ numbers: [Int]) -> Int {
    var ends: [Int] = []
    for number in numbers {
      let place = ends.firstIndex { $0 > number } ?? ends.count
      if place == ends.count { ends.append(number) } else { ends[place] = number }
    }
    return ends.count
  }

  @Test func `F3: in a result of hundreds of thousands a commit looks at a logarithm of the rows`()
    throws
  {
    // Building a million takes long without optimisation; the benchmarks do.
    #if DEBUG
    let (count, steps) = (200_000, 18)
    #else
    let (count, steps) = (1_000_000, 20)
    #endif
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 0..<count {
        // All begin alike, so that every step of a search compares rows.
        try draft.insert(Car(id: id, model: "a long name \(10_000_000 + id)", year: 1, owner: nil))
      }
    }
    let model = try FetchedObjectsModel(byModel, in: store)
    let events = Recorder(model.didChange)
    let before = model.work
    let (first, last) = (ListPath(section: 0, row: 0), ListPath(section: 0, row: count - 1))
    try store.commit { draft in try draft.update(Car.self, count / 2) { $0.model = "" } }
    try store.commit { draft in try draft.delete(Car.self, 0) }
    try store.commit { draft in
      try draft.insert(Car(id: count, model: "b", year: 1, owner: nil))
    }
    try store.commit { draft in try draft.update(Car.self, count - 1) { $0.year = 2 } }
    let middle = ListPath(section: 0, row: count / 2)
    #expect(
      events.values.map(\.changes) == [
        ListChanges(moves: [PositionChange(old: middle, new: first)]),
        ListChanges(deletes: [ListPath(section: 0, row: 1)]),
        ListChanges(inserts: [last]),
        ListChanges(updates: [
          PositionChange(
            old: ListPath(section: 0, row: count - 2), new: ListPath(section: 0, row: count - 2))
        ]),
      ])
    #expect(events.values.map(\.after.count) == [count, count - 1, count, count])
    let work = model.work
    #expect(work.fetches == 1 && work.candidates - before.candidates == 4)
    #expect(work.changes - before.changes == 4)
    // Two searches for a row that stays in the result, one for each other.
    #expect(work.comparisons - before.comparisons <= 6 * (steps + 2))
    #expect(work.comparisons - before.comparisons > 4)
  }

  @Test func `A thousand snapshots, held over a thousand commits, read as they were`() throws {
    let (count, commits) = (500, 1000)
    var generator = SeededGenerator(number: 5)
    let store = try TestStorage.memory.makeGarage()
    var cars: [Int: Car] = [:]
    for id in 0..<count { cars[id] = Car(id: id, model: "m\(id % 7)", year: id, owner: nil) }
    try store.commit { draft in for car in cars.values { try draft.insert(car) } }
    let query = Query<Car>().sorted { [$0.year.ascending] }.sectioned { $0.model }
    let model = try FetchedObjectsModel(query, in: store)

    func digest(_ snapshot: ListSnapshot<EntityView<Car>>) -> [Int] {
      snapshot.sections.map { section in
        var hasher = Hasher()
        hasher.combine(section.name)
        for car in section { hasher.combine([car.id, car.year]) }
        return hasher.finalize()
      }
    }
    /// What it must be, of values that no snapshot holds.
    func expected() -> [Int] {
      Dictionary(grouping: cars.values, by: \.model).sorted { $0.key < $1.key }.map { name, cars in
        var hasher = Hasher()
        hasher.combine(name)
        for car in cars.sorted(by: { ($0.year, $0.id) < ($1.year, $1.id) }) {
          hasher.combine([car.id, car.year])
        }
        return hasher.finalize()
      }
    }
    var held: [(snapshot: ListSnapshot<EntityView<Car>>, digest: [Int])] = []
    for _ in 0..<commits {
      try store.commit { draft in
        let id = Int.random(in: 0..<count, using: &generator)
        if cars[id] != nil, Bool.random(using: &generator) {
          try draft.delete(Car.self, id)
          cars[id] = nil
        } else {
          let year = Int.random(in: 0..<count, using: &generator)
          let car = Car(id: id, model: "m\(year % 7)", year: year, owner: nil)
          try draft.upsert(car)
          cars[id] = car
        }
      }
      held.append((model.snapshot, expected()))
    }
    var wrong = held.indices.filter { digest(held[$0].snapshot) != held[$0].digest }
    #expect(wrong == [])
    // Those that stay don't mind that others go, nor that all rows do.
    held = held.indices.filter { $0 % 3 == 0 }.map { held[$0] }
    try store.commit { try $0.deleteAll(Query<Car>()) }
    wrong = held.indices.filter { digest(held[$0].snapshot) != held[$0].digest }
    #expect(wrong == [])
  }
}

import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Relays
import TestSupport
import Testing

/// A query under test, and the same result by hand.
struct OracleQuery: Sendable, CustomTestStringConvertible {
  let name: String
  let query: Query<Car>
  let includesOwner: Bool
  let isSectioned: Bool
  /// Which cars, given their owners; and the keys of section and order, for a naive sort.
  let belongs: @Sendable (Car, Person?) -> Bool
  let section: @Sendable (Car, Person?) -> StoredValue
  let keys: @Sendable (Car, Person?) -> [StoredValue]

  var testDescription: String { name }

  static let all: [OracleQuery] = [
    OracleQuery(
      name: "flat by model", query: Query<Car>().sorted { [$0.model.ascending] },
      includesOwner: false, isSectioned: false, belongs: { _, _ in true },
      section: { _, _ in .null }, keys: { car, _ in [.text(car.model)] }),
    OracleQuery(
      name: "filtered, by year down",
      query: Query<Car>().filter { $0.year > 2003 }.sorted { [$0.year.descending] },
      includesOwner: false, isSectioned: false, belongs: { car, _ in car.year > 2003 },
      section: { _, _ in .null }, keys: { car, _ in [.integer(Int64(-car.year))] }),
    OracleQuery(
      name: "by owner's name", query: byOwner, includesOwner: true, isSectioned: true,
      belongs: { _, owner in owner != nil },
      section: { _, owner in owner?.name.storedValue ?? .null },
      keys: { car, owner in [owner?.name.storedValue ?? .null, .text(car.model)] }),
    OracleQuery(
      name: "by owner, ordered by name",
      query: Query<Car>()
        .sorted { [$0.model.ascending] }
        .sectioned(
          by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.name.ascending }
        )
        .including { $0.owner.name },
      includesOwner: true, isSectioned: true, belongs: { _, _ in true },
      section: { _, owner in owner?.id.storedValue ?? .null },
      keys: { car, owner in
        [owner?.name.storedValue ?? .null, owner?.id.storedValue ?? .null, .text(car.model)]
      }),
    OracleQuery(
      name: "by owner, titled by name",
      query: Query<Car>()
        .sorted { [$0.year.descending] }
        .sectioned(by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.id.ascending })
        .including { $0.owner.name },
      includesOwner: true, isSectioned: true, belongs: { _, _ in true },
      section: { _, owner in owner?.id.storedValue ?? .null },
      keys: { car, owner in [owner?.id.storedValue ?? .null, .integer(Int64(-car.year))] }),
    OracleQuery(
      name: "owners of two cars",
      query: Query<Car>()
        .filter {
          $0.owner.name != "Ann"
          $0.year < 2008 || $0.owner == nil
        }
        .sorted { [$0.owner.name.descending, $0.year.ascending] }
        .including { $0.owner.name },
      includesOwner: true, isSectioned: false,
      belongs: { car, owner in owner?.name != "Ann" && (car.year < 2008 || owner == nil) },
      section: { _, _ in .null },
      keys: { car, owner in
        // Descending: nil last, and later names first.
        let name = owner.map { 1000 - Int64(names.firstIndex(of: $0.name) ?? 0) } ?? 5000
        return [.integer(name), .integer(Int64(car.year))]
      }),
  ]

  /// The result by hand, from all objects.
  func expected(_ store: Store) throws -> [(section: StoredValue, ids: [Int])] {
    let (cars, people) = try store.read { reader in
      (try reader.fetch(Query<Car>()), try reader.fetch(Query<Person>()))
    }
    let owners = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) })
    func owner(_ car: Car) -> Person? { car.owner.flatMap { owners[$0.id] } }
    let rows = cars.filter { belongs($0, owner($0)) }.map { car in
      (car: car, keys: keys(car, owner(car)) + [.integer(Int64(car.id))])
    }.sorted { $0.keys.lexicographicallyPrecedes($1.keys) }
    var sections: [(section: StoredValue, ids: [Int])] = []
    for row in rows {
      let key = section(row.car, owner(row.car))
      if sections.last?.section == key {
        sections[sections.count - 1].ids.append(row.car.id)
      } else {
        sections.append((key, [row.car.id]))
      }
    }
    if !isSectioned && sections.isEmpty { sections = [(.null, [])] }
    return sections
  }

  /// The window of a result by hand.
  func window(
    _ sections: [(section: StoredValue, ids: [Int])], offset: Int, limit: Int?
  ) -> [(section: StoredValue, ids: [Int])] {
    var before = offset
    var room = limit ?? .max
    var shown: [(section: StoredValue, ids: [Int])] = []
    for section in sections {
      let ids = section.ids.dropFirst(before).prefix(room)
      before -= min(before, section.ids.count)
      room -= ids.count
      if !ids.isEmpty { shown.append((section.section, Array(ids))) }
    }
    return !isSectioned && shown.isEmpty ? [(.null, [])] : shown
  }
}

let names = ["Ann", "Bea", "Bob", "Cid", "Dan", "Zoe"]

/// Makes commits of a few random writes.
struct RandomWriter {
  var random: SeededGenerator
  let people = 4
  let cars = 9

  mutating func commit(_ store: Store) throws {
    let count = Int.random(in: 1...6, using: &random)
    do {
      try store.commit { draft in for _ in 0..<count { try write(draft) } }
    } catch StoreError.missingReference {
      // A car of somebody who came and went in this commit: nothing has happened.
    }
  }

  private mutating func write(_ draft: borrowing Draft) throws {
    let car = Int.random(in: 0..<cars, using: &random)
    let person = Int.random(in: 0..<people, using: &random)
    let name = names[Int.random(in: 0..<names.count, using: &random)]
    let exists = try draft.find(Car.self, car) != nil
    let owner = try draft.find(Person.self, person).map { Ref($0) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      try draft.upsert(Person(id: person, name: name, age: Int.random(in: 0...2, using: &random)))
    case 2: if owner != nil { try draft.delete(Person.self, person) }
    case 3: if exists { try draft.delete(Car.self, car) }
    case 4, 5: if exists { try draft.update(Car.self, car) { $0.owner = owner } }
    case 6:
      if exists {
        let year = 2000 + Int.random(in: 0..<10, using: &random)
        try draft.update(Car.self, car) { $0.year = year }
      }
    default:
      let model = ["A", "B", "C", "D"][Int.random(in: 0..<4, using: &random)]
      try draft.upsert(
        Car(
          id: car, model: model, year: 2000 + Int.random(in: 0..<10, using: &random), owner: owner))
    }
  }
}

@Suite(.oneThread) struct ModelOracleTests {
  @Test(arguments: OracleQuery.all, TestStorage.allCases)
  func `F2 to F5: every event leads exactly from one result to the next`(
    _ oracle: OracleQuery, _ storage: TestStorage
  ) throws {
    let worlds = seeds(storage == .memory ? 40 : 6)
    var events = 0
    for seed in worlds {
      let store = try storage.makeGarage()
      var writer = RandomWriter(random: SeededGenerator(seed: UInt64(seed)))
      for _ in 0..<3 { try writer.commit(store) }
      let model = try FetchedObjectsModel(oracle.query, in: store)
      let recorder = Recorder(model.didChange)
      let check = EventOracle(
        includesOwner: oracle.includesOwner, isSectioned: oracle.isSectioned)
      var last = plain(model.snapshot, includesOwner: oracle.includesOwner)
      for step in 0..<30 {
        let trace = "\(oracle.name), seed \(seed), step \(step)"
        let told = recorder.values.count
        try writer.commit(store)
        let expected = try oracle.expected(store)
        let sections = model.sections
        #expect(sections.map(\.identity) == expected.map(\.section), "\(trace): sections")
        #expect(sections.map { $0.map(\.value.id) } == expected.map(\.ids), "\(trace): rows")
        #expect(
          try store.fetch(oracle.query).map(\.id) == expected.flatMap(\.ids), "\(trace): fetch")
        let new = recorder.values.dropFirst(told)
        let now = plain(model.snapshot, includesOwner: oracle.includesOwner)
        #expect(new.count <= 1, "\(trace): F2, one event for a commit")
        if let event = new.first {
          events += 1
          #expect(plain(event.before, includesOwner: oracle.includesOwner) == last, "\(trace)")
          #expect(plain(event.after, includesOwner: oracle.includesOwner) == now, "\(trace)")
          try check.check(event, trace)
        } else {
          #expect(now == last, "\(trace): F2, a change without an event")
        }
        last = now
      }
    }
    #expect(events > worlds.count * 5)
  }
}

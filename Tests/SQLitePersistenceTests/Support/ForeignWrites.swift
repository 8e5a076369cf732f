import EntityStore
import FetchedObjects
import ListDiffing
import TestSupport
import Testing

/// Random writes to a garage, by a store or by another tool.
struct ForeignWrites {
  var generator: SeededGenerator

  private let people = ["a", "b", "c", "d\u{1F600}", ""]

  init(seed: Int) { generator = SeededGenerator(seed: seed) }

  private mutating func car() -> Int { Int.random(in: 1...12, using: &generator) }

  private mutating func model() -> String {
    "m\(Int.random(in: 1...20, using: &generator))"
  }

  private mutating func person() -> String { people.randomElement(using: &generator) ?? "" }

  /// A commit of a few writes; one that breaks a rule changes nothing.
  mutating func commit(to store: Store) throws {
    do {
      try store.commit { draft in
        for _ in 0..<Int.random(in: 1...3, using: &generator) { try write(&draft) }
      }
    } catch let error as StoreError {
      if case .storage = error { throw error }
    }
  }

  private mutating func write(_ draft: inout Draft) throws {
    let (car, model, person) = (car(), model(), person())
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: try draft.upsert(Person(id: person, name: model, height: Double(car) / 7))
    case 1: if try draft.find(Person.self, person) != nil { try draft.delete(Person.self, person) }
    case 2: if try draft.find(Car.self, car) != nil { try draft.delete(Car.self, car) }
    case 3:
      if try draft.find(Car.self, car) != nil {
        try draft.update(Car.self, car) { $0.model = model }
      }
    case 4:
      let owner = try draft.find(Person.self, person).map { Ref<Person>($0.id) }
      try draft.upsert(Car(id: car, model: model, owner: owner, tower: Ref(car + 1)))
    case 5:
      if try draft.find(Person.self, person) != nil {
        try draft.update(Person.self, person) { $0.photo = [UInt8](repeating: 1, count: car) }
      }
    default: try draft.upsert(Car(id: car, model: model))
    }
  }

  /// Statements that another tool runs in one transaction, after which all is as it was.
  mutating func cancellingStatements() -> [String] {
    if generator.chance(0.5) {
      return [
        "CREATE TEMP TABLE kept AS SELECT * FROM Person ORDER BY height", "DELETE FROM Person",
        "INSERT INTO Person SELECT * FROM kept", "DROP TABLE kept",
      ]
    }
    return [
      "UPDATE Person SET height = -height - 1000 WHERE id < 'c'",
      "REPLACE INTO Person SELECT * FROM Person ORDER BY id DESC",
      "UPDATE Person SET height = -height - 1000 WHERE id < 'c'",
    ]
  }

  /// Gives two persons each other's unique key, and then their own again, in two commits of a store.
  mutating func swapThereAndBack(in store: Store) throws {
    let (one, other) = (person(), person())
    for _ in 0..<2 {
      try store.commit { draft in
        guard let first = try draft.find(Person.self, one),
          let second = try draft.find(Person.self, other), one != other
        else { return }
        try draft.update(Person.self, one) { ($0.name, $0.height) = (second.name, second.height) }
        try draft.update(Person.self, other) { ($0.name, $0.height) = (first.name, first.height) }
      }
    }
  }

  /// A statement of another tool that leaves the id to SQLite.
  mutating func insertionWithoutID() -> String {
    let way = ["", "OR REPLACE", "OR IGNORE", "OR FAIL"].randomElement(using: &generator) ?? ""
    return "INSERT \(way) INTO Car (model) VALUES ('\(model())'), ('\(model())')"
  }

  /// A statement of another tool.
  mutating func statement() -> String {
    let (car, model) = (car(), model())
    let person = person()
    switch Int.random(in: 0..<11, using: &generator) {
    case 9:
      // The same rows under other numbers.
      let order = ["id", "id DESC", "name"].randomElement(using: &generator) ?? "id"
      return "REPLACE INTO Person SELECT * FROM Person ORDER BY \(order)"
    case 10: return "REPLACE INTO Person SELECT * FROM Person WHERE id > '\(person)'"
    case 0: return "INSERT OR REPLACE INTO Car (id, model) VALUES (\(car), '\(model)')"
    case 1: return "UPDATE OR REPLACE Car SET model = '\(model)' WHERE id = \(car)"
    case 2: return "UPDATE OR REPLACE Car SET id = \(car) WHERE model = '\(model)'"
    case 3: return "DELETE FROM Car WHERE id = \(car)"
    case 4: return "UPDATE Person SET height = height + 1, photo = x'00' WHERE id >= '\(person)'"
    case 5:
      return "UPDATE Car SET owner = (SELECT max(id) FROM Person) WHERE id BETWEEN \(car) AND 50"
    case 6: return "INSERT OR IGNORE INTO Person (id, name) VALUES ('\(person)', '\(model)')"
    case 7:
      return
        "DELETE FROM Person WHERE id = '\(person)' AND id NOT IN (SELECT owner FROM Car WHERE owner IS NOT NULL)"
    default: return "DELETE FROM Car WHERE id BETWEEN 9 AND 50"
    }
  }
}

/// A model, and the list that its events lead to.
final class ReplayedModel<E: Entity> {
  private let query: Query<E>
  private let store: Store
  private let model: FetchedObjectsModel<E>
  private let events: Recorder<ListEvent<EntityView<E>>>
  private let errors: Recorder<any Error>
  private(set) var list: [String]
  private var taken = 0
  private var lastVersion: Int64 = 0

  init(_ query: Query<E>, in store: Store) throws {
    self.query = query
    self.store = store
    model = try FetchedObjectsModel(query, in: store)
    // Others may commit between the reading of the list and the subscription.
    model.pause()
    events = Recorder(model.didChange)
    errors = Recorder(model.errors)
    list = model.fetchedObjects.map { "\($0)" }
    model.resume()
  }

  /// Whether the events, in turn, lead to what the model shows and to what is in the file.
  func isExact() throws -> Bool {
    let new = events.values[taken...]
    taken += new.count
    for event in new {
      // No version twice.
      guard event.versions.lowerBound > lastVersion, !event.changes.isEmpty else { return false }
      lastVersion = event.versions.upperBound
      guard event.before.fetchedObjects.map({ "\($0)" }) == list else { return false }
      event.changes.apply(to: &list) { "\(event.after[$0].value)" }
      guard event.after.fetchedObjects.map({ "\($0)" }) == list else { return false }
    }
    let fetched = try store.fetch(query).map { "\($0)" }
    return errors.values.isEmpty && list == model.fetchedObjects.map { "\($0)" } && list == fetched
  }
}

/// An index-only model, each row of which is to be what a fetch finds there.
final class ReplayedIndex<E: Entity> {
  private let query: Query<E>
  private let store: Store
  private let model: IndexedObjectsModel<E>
  private let events: Recorder<ListEvent<IndexedRow>>
  private var count: Int
  private var taken = 0

  init(_ query: Query<E>, in store: Store) throws {
    self.query = query
    self.store = store
    model = try IndexedObjectsModel(query, in: store, cacheCapacity: 6, batchSize: 3)
    model.pause()
    events = Recorder(model.didChange)
    count = model.count
    model.resume()
  }

  func isExact() throws -> Bool {
    for event in events.values[taken...] {
      taken += 1
      guard !event.changes.isEmpty, event.before.count == count else { return false }
      try event.changes.validate(old: event.before.rowCounts, new: event.after.rowCounts)
      count = event.after.count
    }
    let shown = try (0..<model.count).map { row -> String in
      let path = ListPath(section: 0, row: row)
      guard let object = try model.object(at: path) else { return "none" }
      let isFound = try model.path(for: object.id) == path
      return isFound ? "\(object)" : "lost"
    }
    let fetched = try store.fetch(query).map { "\($0)" }
    return count == model.count && shown == fetched
  }
}

/// What is followed of a garage.
struct ReplayedGarage {
  let cars: ReplayedModel<Car>
  let owned: ReplayedModel<Car>
  let people: ReplayedModel<Person>
  private let indexes: [ReplayedIndex<Person>]
  private let carIndex: ReplayedIndex<Car>
  private let window: ReplayedModel<Person>

  init(_ store: Store) throws {
    cars = try ReplayedModel(Query<Car>().sorted { [$0.model.ascending] }, in: store)
    owned = try ReplayedModel(
      Query<Car>().filter { $0.owner.name != "m1" }
        .sorted { [$0.owner.height.descending, $0.owner.name.ascending, $0.id.descending] },
      in: store)
    people = try ReplayedModel(
      Query<Person>().filter { $0.height != nil }.sorted { [$0.height.ascending] }, in: store)
    indexes = [
      try ReplayedIndex(Query<Person>().sorted { [$0.id.ascending] }, in: store),
      try ReplayedIndex(
        Query<Person>().filter { $0.height != nil }.sorted { [$0.height.descending] }, in: store),
    ]
    carIndex = try ReplayedIndex(Query<Car>().sorted { [$0.owner.name.ascending] }, in: store)
    window = try ReplayedModel(
      Query<Person>().sorted { [$0.name.ascending] }.limit(2, offset: 1), in: store)
  }

  func isExact() throws -> Bool {
    let exact = [
      try cars.isExact(), try owned.isExact(), try people.isExact(), try carIndex.isExact(),
      try window.isExact(),
    ]
    return try !exact.contains(false) && indexes.allSatisfy { try $0.isExact() }
  }

  var lines: String { (cars.list + owned.list + people.list).joined(separator: "\n") }
}

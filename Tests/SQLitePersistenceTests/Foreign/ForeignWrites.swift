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

  /// A statement of another tool.
  mutating func statement() -> String {
    let (car, model) = (car(), model())
    let person = person()
    switch Int.random(in: 0..<9, using: &generator) {
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
  private let events: Recorder<FetchedObjectsEvent<E>>
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

/// What is followed of a garage.
struct ReplayedGarage {
  let cars: ReplayedModel<Car>
  let owned: ReplayedModel<Car>
  let people: ReplayedModel<Person>

  init(_ store: Store) throws {
    cars = try ReplayedModel(Query<Car>().sorted { [$0.model.ascending] }, in: store)
    owned = try ReplayedModel(
      Query<Car>().filter { $0.owner.name != "m1" }
        .sorted { [$0.owner.height.descending, $0.owner.name.ascending, $0.id.descending] },
      in: store)
    people = try ReplayedModel(
      Query<Person>().filter { $0.height != nil }.sorted { [$0.height.ascending] }, in: store)
  }

  func isExact() throws -> Bool {
    let exact = [try cars.isExact(), try owned.isExact(), try people.isExact()]
    return exact == [true, true, true]
  }

  var lines: String { (cars.list + owned.list + people.list).joined(separator: "\n") }
}

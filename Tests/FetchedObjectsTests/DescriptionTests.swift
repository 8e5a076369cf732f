import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Observation
import Relays
import TestSupport
import Testing

@Suite struct DescriptionTests {
  private struct Note: Entity {
    let id: Int
    var description: String
    static let attributes = Attributes(.id(\Note.id), .attribute("description", \.description))
    static let schema = Schema(attributes, Note.init)
  }

  @Test func `a row prints as its struct, and what is included of another as that part`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let car = cars.snapshot[ListPath(section: 0, row: 0)]
    #expect("\(car)" == "\(car.value)")
    #expect("\(car)".hasPrefix("Car(id: 2, model: \"Fiat\", year: 2004"))
    let owner = try #require(car.owner)
    #expect("\(owner)" == "Person(id: 1, name: \"Ann\")")
    let whole = try FetchedObjectsModel(Query<Car>().including { $0.owner }, in: store)
    let person = try #require(whole.snapshot.row(for: 1)?.owner)
    #expect("\(person)" == "\(ann)")
  }

  private struct Crew: Entity {
    struct ID: CompositeID {
      var ship: String
      var number: Int
    }
    let id: ID
    var name: String
    static let attributes = Attributes(
      .id(\Crew.id, ID.init, .part("ship", \.ship), .part("number", \.number)),
      .attribute("name", \.name))
    static let schema = Schema(attributes, Crew.init)
  }
  private struct Watch: Entity {
    let id: Int
    var crew: Ref<Crew>
    static let attributes = Attributes(.id(\Watch.id), .one("crew", \.crew))
    static let schema = Schema(attributes, Watch.init)
  }

  @Test func `S6: whatever the values are, rows and events print in a short line`() throws {
    let evil = "a\n\u{1B}[2J\u{202E}"
    let store = try TestStorage.memory.makeStore([Crew.self, Watch.self, Note.self])
    let crew = Crew(id: Crew.ID(ship: evil, number: 1), name: evil)
    try store.commit { draft in
      try draft.insert(crew)
      try draft.insert(Watch(id: 1, crew: Ref(crew)))
      try draft.insert(Note(id: 1, description: evil))
    }
    let watches = try FetchedObjectsModel(Query<Watch>().including { $0.crew.name }, in: store)
    let view = try #require(watches.snapshot.row(for: 1)?.crew)
    #expect("\(view)".isHarmless)
    let note = try ObservedEntity<Note>(1, in: store)
    let events = Recorder(note.didChange)
    try store.commit {
      try $0.update(Note.self, 1) { $0.description = String(repeating: "x\n", count: 500_000) }
    }
    let event = try #require(events.values.first)
    #expect("\(event)".isHarmless)
    #expect("\(event)".utf8.count < 5_000)
    #expect("\(note)".utf8.count < 5_000)
  }

  @Test func `an attribute named description is read through the view`() throws {
    let store = try TestStorage.memory.makeStore([Note.self])
    try store.commit { try $0.insert(Note(id: 1, description: "Blue")) }
    let notes = try FetchedObjectsModel(Query<Note>(), in: store)
    #expect(notes.snapshot[ListPath(section: 0, row: 0)].description == "Blue")
  }

  @Test func `models and observed objects print what they show, and that isn't noted`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let rows = cars.map { $0.id }
    let places = try IndexedObjectsModel(Query<Person>(), in: store)
    let person = try ObservedEntity<Person>(2, in: store)
    let missing = try ObservedEntity<Person>(awaiting: 9, in: store)
    let observed = Counter()
    withObservationTracking {
      #expect("\(cars)" == #"FetchedObjectsModel of Car at version 1: "Ann" [2, 1], "Bob" [3]"#)
      #expect("\(rows)" == #"DerivedModel of Int at version 1: "Ann" [2, 1], "Bob" [3]"#)
      #expect("\(places)" == "IndexedObjectsModel of Person at version 1: [#0, #1]")
      #expect("\(person)" == "ObservedEntity of \(bob)")
      #expect("\(missing)" == "ObservedEntity of Person(9), absent")
      var dumped = ""
      for model: Any in [cars, rows, places, person, missing] { dump(model, to: &dumped) }
      #expect(dumped.contains("snapshot: version 1"))
      #expect(!dumped.contains("follower"))
    } onChange: {
      observed.add(1)
    }
    try store.commit { try $0.delete(Person.self, 2) }
    #expect(observed.value == 0)
    #expect("\(person)" == "ObservedEntity of \(bob), deleted")
    // An attribute of the name is still read through the object.
    try store.commit { try $0.insert(Person(id: 9, name: "a\n")) }
    #expect(missing.debugDescription.contains(#"name: "a\n","#))
  }

  @Test func `snapshots, sections and events print in a few words`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let rows = cars.map { $0.id }
    #expect("\(cars.snapshot)" == #"version 1: "Ann" [2, 1], "Bob" [3]"#)
    #expect("\(cars.sections)" == #""Ann" [2, 1], "Bob" [3]"#)
    #expect("\(cars.sections[1])" == #""Bob" [3]"#)
    #expect("\(rows.snapshot)" == #"version 1: "Ann" [2, 1], "Bob" [3]"#)
    #expect("\(rows.sections[0])" == #""Ann" [2, 1]"#)
    let flat = try FetchedObjectsModel(Query<Person>(), in: store)
    #expect("\(flat.snapshot)" == "version 1: [1, 2]")
    #expect("\(flat.map { $0.id }.snapshot)" == "version 1: [1, 2]")
    #expect("\(flat.fetchedObjects)" == "[\(ann), \(bob)]")
    let none = try FetchedObjectsModel(Query<Car>().filter { $0.year > 3000 }, in: store)
    #expect("\(none.snapshot)" == "version 1: []")

    let events = Recorder(cars.didChange)
    let derived = Recorder(rows.didChange)
    let steps = Recorder(cars.steps)
    let person = try ObservedEntity<Person>(2, in: store)
    let observed = Recorder(person.didChange)
    try store.commit { draft in
      try draft.delete(Car.self, 1)
      try draft.update(Person.self, 2) { $0.name = "Zoe" }
    }
    let event = try #require(events.values.first)
    #expect("\(event)" == "version 2: \(event.changes)")
    #expect("\(try #require(derived.values.first))" == "version 2: \(event.changes)")
    let words = steps.values.map { "\($0)" }
    #expect(words.first == "begin \(event)" && words.last == "end \(event)")
    #expect(words.contains("delete 0.1: \(event.before[ListPath(section: 0, row: 1)])"))
    #expect(words.contains(#"insert section 1: "Zoe" [3]"#))
    #expect(
      "\(try #require(observed.values.first))"
        == "version 2: \(bob) → \(Person(id: 2, name: "Zoe", age: nil))")
    try store.commit { try $0.delete(Person.self, 2) }
    #expect("\(try #require(observed.values.last))".hasSuffix("→ deleted"))
  }

  @Test func `of a long list the beginning is printed`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 1...2000 { try draft.insert(Person(id: id, name: "\(id % 10)", age: nil)) }
    }
    let flat = try FetchedObjectsModel(Query<Person>(), in: store)
    let beginning = (1...20).map(String.init).joined(separator: ", ")
    #expect("\(flat.snapshot)" == "version 1: [\(beginning)], … 1980 more")
    let sectioned = try FetchedObjectsModel(Query<Person>().sectioned { $0.name }, in: store)
    #expect("\(sectioned.snapshot)".hasSuffix("190, 200], … 1980 more"))
    #expect("\(sectioned.sections[1])".hasSuffix("191], … 180 more"))
  }
}

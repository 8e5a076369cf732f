import EntityStore
import Foundation
import FoundationSupport
import TestSupport
import Testing

/// What the app had at first.
private enum First {
  struct Person: Entity {
    let id: Int
    var name: String
    static let attributes = Attributes(.id(\Person.id), .attribute("name", \.name))
    static let schema = Schema(attributes, Person.init)
  }

  struct Car: Entity {
    let id: Int
    var model: String
    var note: String?
    var weight: Double?
    var keeper: Ref<Person>?
    static let attributes = Attributes(
      .id(\Car.id, name: "number"), .attribute("model", \.model), .attribute("note", \.note),
      .attribute("weight", \.weight), .one("keeper", \.keeper))
    static let schema = Schema(attributes, Car.init)
    static var entityName: String { "Auto" }
  }
}

/// What it has now.
private enum Today {
  struct Person: Entity {
    let id: Int
    var name: String
    static let attributes = Attributes(.id(\Person.id), .attribute("name", \.name))
    static let schema = Schema(attributes, Person.init)
  }

  struct Car: Entity, Equatable {
    let id: Int
    var title: String
    var seats = 4
    var color: String?
    var weight = 1.5
    var owner: Ref<Person>?
    static let attributes = Attributes(
      .id(\Car.id, renamedFrom: "number"),
      .attribute("title", \.title, renamedFrom: "name", "model"),
      .attribute("seats", \.seats, default: 4), .attribute("color", \.color),
      .attribute("weight", \.weight, default: 1.5), .one("owner", \.owner, renamedFrom: "keeper"))
    static let schema = Schema(
      attributes, Car.init, rules: [.dropped("note"), .renamedFrom("Wagen", "Auto")])
  }
}

/// Attributes whose names have changed hands: `a` became `b`, `b` became `c`, and another `a` is new.
private struct Chain: Entity, Equatable {
  let id: Int
  var a = ""
  var b = ""
  var c = ""
  static let attributes = Attributes(
    .id(\Chain.id), .attribute("a", \.a, default: "new"),
    .attribute("b", \.b, default: "", renamedFrom: "a"),
    .attribute("c", \.c, default: "", renamedFrom: "b"))
  static let schema = Schema(attributes, Chain.init)
}

private struct Place: Entity, Equatable {
  struct ID: CompositeID {
    var train: String
    var number: Int
  }
  let id: ID
  static let attributes = Attributes(
    .id(\Place.id, ID.init, .part("train", \.train), .part("number", \.number)))
  static let schema = Schema(attributes, Place.init, rules: [.dropped("neighbour")])
}

/// Took the name of another entity, which has become `Mother`.
private struct Child: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Child.id))
  static let schema = Schema(attributes, Child.init)
}

private struct Mother: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Mother.id))
  static let schema = Schema(attributes, Mother.init, rules: [.renamedFrom("Child", "Girl")])
}

private struct Aunt: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Aunt.id))
  static let schema = Schema(attributes, Aunt.init, rules: [.renamedFrom("Girl")])
}

@Suite struct `JSON Lines of an older schema are read by the rules of files` {
  private func lines(_ entities: [String: Int], _ lines: String...) -> Data {
    let list = entities.sorted { $0.key < $1.key }
      .map { #"{"name":"\#($0.key)","count":\#($0.value)}"# }
    let header =
      #"{"format":"signalbox-objects","version":1,"entities":[\#(list.joined(separator: ","))]}"#
    return Data(([header] + lines).joined(separator: "\n").utf8)
  }

  @Test(arguments: [nil, 1])
  func `P4: an export of the first schema comes into a store of today's`(_ size: Int?) throws {
    let old = try Store(.inMemory, entities: [First.Person.self, First.Car.self])
    try old.commit { draft in
      try draft.insert(First.Person(id: 1, name: "Ann"))
      try draft.insert(First.Car(id: 7, model: "Beetle", note: "red", keeper: Ref(1)))
      try draft.insert(First.Car(id: 8, model: "Duck", weight: 0.5))
    }
    let store = try Store(.inMemory, entities: [Today.Person.self, Today.Car.self])
    let result = try store.importing(old.exported(), objectsPerCommit: size)
    #expect(result.inserted == 3)
    #expect(
      try store.fetch(Query<Today.Car>()) == [
        Today.Car(id: 7, title: "Beetle", weight: 1.5, owner: Ref(1)),
        Today.Car(id: 8, title: "Duck", weight: 0.5),
      ])
    // What it writes itself comes back as it was.
    let again = try Store(.inMemory, entities: [Today.Person.self, Today.Car.self])
    try again.importing(store.exported())
    #expect(try again.exported() == store.exported())
  }

  @Test func `P4: of several former names the newest that is there is taken`() throws {
    let store = try Store(.inMemory, entities: [Today.Person.self, Today.Car.self])
    try store.importing(
      lines(
        ["Wagen": 2], #"{"entity":"Wagen","values":{"id":1,"name":"new"}}"#,
        #"{"entity":"Wagen","values":{"number":2,"model":"old"}}"#))
    #expect(try store.fetch(Query<Today.Car>()).map(\.title) == ["new", "old"])
  }

  @Test func `what is neither named nor dropped is refused, with what to do`() throws {
    func problem(_ values: String) throws -> JSONLinesError {
      let store = try Store(.inMemory, entities: [Today.Person.self, Today.Car.self])
      let line = #"{"entity":"Car","values":{\#(values)}}"#
      return try #require(
        throws: JSONLinesError.self, performing: { try store.importing(lines(["Car": 1], line)) })
    }
    let error = try problem(#""id":1,"title":"a","power":7"#)
    #expect(error.problem == .unknownAttribute("power", entity: "Car"))
    #expect(
      "\(error)"
        == #"Line 2: Car has no attribute "power"; correct the name, or say in the schema what became "#
        + #"of it: renamedFrom: "power" or .dropped("power")"#)
    // One that is there under both names isn't thrown away.
    #expect(
      try problem(#""id":1,"title":"a","model":"b""#).problem
        == .unknownAttribute("model", entity: "Car"))
    #expect(
      try problem(#""id":1,"name":"a","model":"b""#).problem
        == .unknownAttribute("model", entity: "Car"))
    #expect(
      try problem(#""id":1,"name":null"#).problem
        == .wrongValue(attribute: "title", entity: "Car", expected: "text", found: "null"))
    // Names that aren't those of today are compared by their bytes.
    #expect(
      try problem(#""id":1,"title":"a","Note":null"#).problem
        == .unknownAttribute("Note", entity: "Car"))
    #expect(
      try problem(#""id":1,"Name":"a""#).problem == .unknownAttribute("Name", entity: "Car"))
  }

  @Test func `P4: names of attributes may change hands`() throws {
    func chain(_ values: String) throws -> Chain? {
      let store = try Store(.inMemory, entities: [Chain.self])
      try store.importing(lines(["Chain": 1], #"{"entity":"Chain","values":{"id":1,\#(values)}}"#))
      return try store.find(Chain.self, 1)
    }
    #expect(try chain(#""a":"1""#) == Chain(id: 1, a: "new", b: "1", c: ""))
    #expect(try chain(#""b":"2","a":"1""#) == Chain(id: 1, a: "new", b: "1", c: "2"))
    #expect(try chain(#""a":"0","b":"1","c":"2""#) == Chain(id: 1, a: "0", b: "1", c: "2"))
    #expect(try chain(#""c":"2","a":"1""#) == Chain(id: 1, a: "new", b: "1", c: "2"))
    #expect(try chain(#""c":"2""#) == Chain(id: 1, a: "new", b: "", c: "2"))
  }

  @Test func `P4: a name in other letters is found, unless the line has today's as well`() throws {
    func car(_ values: String) throws -> Today.Car? {
      let store = try Store(.inMemory, entities: [Today.Person.self, Today.Car.self])
      try store.importing(lines(["Car": 1], #"{"entity":"Car","values":{\#(values)}}"#))
      return try store.find(Today.Car.self, 1)
    }
    #expect(
      try car(#""ID":1,"Title":"a","SEATS":2,"Owner":null"#)
        == Today.Car(id: 1, title: "a", seats: 2))
    for values in [
      #""id":1,"title":"a","TITLE":"b""#, #""id":1,"TITLE":"b","title":"a""#,
      #""id":1,"Title":"a","TITLE":"b""#, #""id":1,"TITLE":"b","name":"a""#,
    ] {
      let error = #expect(throws: JSONLinesError.self) { try car(values) }
      #expect(error?.problem == .unknownAttribute("TITLE", entity: "Car"))
    }
    // The former name of another attribute may be meant.
    let store = try Store(.inMemory, entities: [Chain.self])
    let error = #expect(throws: JSONLinesError.self) {
      try store.importing(
        lines(["Chain": 1], #"{"entity":"Chain","values":{"id":1,"A":"1"}}"#))
    }
    #expect(error?.problem == .unknownAttribute("A", entity: "Chain"))
  }

  @Test func `P4: parts of an id are found in other letters, and a reference is dropped whole`()
    throws
  {
    let store = try Store(.inMemory, entities: [Place.self])
    let place = #"{"Train":"a","NUMBER":1}"#
    try store.importing(
      lines(["Place": 1], #"{"entity":"Place","values":{"id":\#(place),"neighbour":\#(place)}}"#))
    #expect(try store.fetch(Query<Place>()) == [Place(id: .init(train: "a", number: 1))])
  }

  @Test func `an ambiguous entity name is refused, unless the header resolves it`() throws {
    func importing(_ entities: [String: Int], _ name: String) throws -> Store {
      let store = try Store(.inMemory, entities: [Child.self, Mother.self, Aunt.self])
      try store.importing(lines(entities, #"{"entity":"\#(name)","values":{"id":1}}"#))
      return store
    }
    let error = #expect(throws: JSONLinesError.self) { try importing(["Child": 1], "Child") }
    #expect(error?.problem == .ambiguousEntity("Child", candidates: ["Mother", "Child"]))
    #expect(
      "\(error as Any)".contains(
        #"Child may be Mother or Child; list the others in the header with a count of 0, or rename it"#
      )
    )
    #expect(try importing(["Child": 1, "Mother": 0], "Child").count(Query<Child>()) == 1)
    let other = #expect(throws: JSONLinesError.self) { try importing(["Girl": 1], "Girl") }
    #expect(other?.problem == .ambiguousEntity("Girl", candidates: ["Aunt", "Mother"]))
    #expect(try importing(["Girl": 1, "Aunt": 0], "Girl").count(Query<Mother>()) == 1)
    #expect(try importing(["Girl": 1, "Mother": 0], "Girl").count(Query<Aunt>()) == 1)
    // The name of today isn't read as an older one beside it.
    let both = #expect(throws: JSONLinesError.self) {
      let store = try Store(.inMemory, entities: [Today.Person.self, Today.Car.self])
      try store.importing(lines(["Auto": 0, "Car": 0]))
    }
    #expect(both?.problem == .unknownEntity("Auto"))
  }

  @Test func `the counts of a header are those of the names that it uses`() throws {
    let store = try Store(.inMemory, entities: [Today.Person.self, Today.Car.self])
    let line = #"{"entity":"Auto","values":{"number":1,"model":"a"}}"#
    let error = #expect(throws: JSONLinesError.self) {
      try store.importing(lines(["Auto": 2], line))
    }
    #expect(error?.problem == .wrongCount(entity: "Auto", expected: 2, found: 1))
    // A line under a name that the header doesn't have isn't one of its entity.
    let other = #expect(throws: JSONLinesError.self) {
      try store.importing(lines(["Car": 1], line))
    }
    #expect(other?.problem == .unknownEntity("Auto"))
  }
}

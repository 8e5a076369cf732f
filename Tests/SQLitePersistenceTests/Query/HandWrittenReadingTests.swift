import EntityStore
import SQLitePersistence
import TestSupport
import Testing

/// An entity whose objects are made by hand.
private struct Reading: Entity, Equatable {
  struct ID: CompositeID {
    var station: String
    var hour: Int
  }

  let id: ID
  var degrees: Double?
  var note: String
  var after: Ref<Reading>?
  static let attributes = Attributes(
    .id(\Reading.id, ID.init, .part("station", \.station), .part("hour", \.hour)),
    .attribute("degrees", \.degrees), .attribute("note", \.note), .one("after", \.after))
  static let schema = Schema(attributes, Reading.init).reading { row in
    Reading(
      id: try row.next(), degrees: try row.next(), note: try row.next(), after: try row.next())
  }
}

/// One whose values are asked for in the wrong order.
private struct Swapped: Entity {
  let id: Int
  var first: String
  var second: String
  static let attributes = Attributes(
    .id(\Swapped.id), .attribute("first", \.first), .attribute("second", \.second))
  static let schema = Schema(attributes, Swapped.init).reading { row in
    let id = try row.next(Int.self)
    let second = try row.next(String.self)
    return Swapped(id: id, first: try row.next(), second: second)
  }
}

/// One whose values are asked for as another type.
private struct Mistyped: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Mistyped.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Mistyped.init).reading { row in
    Mistyped(id: try row.next(), name: "\(try row.next(Int.self))")
  }
}

@Suite struct `A hand-written reading replaces the initialiser` {
  @Test(arguments: [true, false]) func `objects come back through it`(_ isOnFile: Bool) throws {
    let store = try Store(
      isOnFile ? .sqlite(path: temporaryPath("by-hand")) : .inMemory, entities: [Reading.self])
    let first = Reading(id: .init(station: "a\0", hour: .min), degrees: nil, note: "", after: nil)
    let second = Reading(
      id: .init(station: "b", hour: 7), degrees: -1.5, note: "é", after: Ref(first))
    try store.commit { try $0.insert(contentsOf: [first, second]) }
    try store.commit { try $0.update(Reading.self, second.id) { $0.note = "cold" } }
    #expect(try store.find(Reading.self, first.id) == first)
    let query = Query<Reading>().filter { $0.after.note == "" }
    #expect(try store.fetch(query).map(\.note) == ["cold"])
    #expect(try store.fetch(Query<Reading>()).map(\.id) == [first.id, second.id])
  }

  @Test func `values in the wrong order are found with the first object`() async {
    await #expect(processExitsWith: .failure) {
      let store = try Store(.inMemory, entities: [Swapped.self])
      try store.commit { try $0.insert(Swapped(id: 1, first: "a", second: "b")) }
    }
  }

  @Test func `a value that is asked for as another type is named`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Store(.inMemory, entities: [Mistyped.self])
      try store.commit { try $0.insert(Mistyped(id: 1, name: "7")) }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Mistyped.name is a String, and is read as Int"))
  }
}

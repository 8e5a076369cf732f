import EntityStore
import Foundation
import FoundationSupport
import TestSupport
import Testing

private struct Link: Entity {
  let id: Int
  var name: String
  var next: Ref<Link>?
  static let attributes = Attributes(
    .id(\Link.id), .attribute("name", \.name), .one("next", \.next))
  static let schema = Schema(attributes, Link.init)
}

@Suite struct `The lines of an import keep their order` {
  private func data(_ lines: [(id: Int, next: Int?)], counts: String? = nil) -> Data {
    let count = counts ?? #"{"name":"Link","count":\#(lines.count)}"#
    var text = #"{"format":"signalbox-objects","version":1,"entities":[\#(count)]}"# + "\n"
    for (place, line) in lines.enumerated() {
      let next = line.next.map { "\($0)" } ?? "null"
      text +=
        #"{"entity":"Link","values":{"id":\#(line.id),"name":"line \#(place)","next":\#(next)}}"#
        + "\n"
    }
    return Data(text.utf8)
  }

  private func result(
    _ lines: [(id: Int, next: Int?)], _ existing: JSONLines.ExistingObjects, _ size: Int?
  ) throws -> [String] {
    let store = try Store(.inMemory, entities: [Link.self])
    do {
      try store.importing(data(lines), existing: existing, objectsPerCommit: size)
    } catch let error as JSONLinesError {
      // What came before may be there.
      return ["\(error)"]
    }
    return try store.fetch(Query<Link>()).map { "\($0.id) \($0.name) \($0.next?.id ?? 0)" }
  }

  @Test(arguments: [1, 2, 3, 100])
  func `also where an object comes twice and waits for what it refers to`(_ size: Int) throws {
    // The first of them waits for 9, which comes last.
    let lines: [(id: Int, next: Int?)] = [(7, 9), (7, nil), (8, nil), (9, nil)]
    for existing in JSONLines.ExistingObjects.allCases {
      #expect(
        try result(lines, existing, size) == result(lines, existing, nil), "\(existing)")
    }
    #expect(try result(lines, .replace, size).first == "7 line 1 0")
    #expect(try result(lines, .skip, size).first == "7 line 0 9")
    #expect(try result(lines, .refuse, size).first?.hasPrefix("Line 3: ") ?? false)
  }

  @Test(arguments: 0..<8)
  func `with any batches, whatever the lines are`(_ seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<rounds(60) {
      let ids = 1...Int.random(in: 1...4, using: &generator)
      var lines = (0..<Int.random(in: 1...7, using: &generator)).map { _ in
        (
          id: Int.random(in: ids, using: &generator),
          next: generator.chance(0.5) ? Int.random(in: ids, using: &generator) : nil
        )
      }
      // Each is there in the end, so nothing refers to nobody.
      for id in ids where !lines.contains(where: { $0.id == id }) { lines.append((id, nil)) }
      for existing in [JSONLines.ExistingObjects.replace, .skip] {
        let wanted = try result(lines, existing, nil)
        for size in [1, 2, 3, 5] {
          let found = try result(lines, existing, size)
          #expect(found == wanted, "\(existing) \(size) \(lines)")
          if found != wanted { return }
        }
      }
    }
  }

  @Test func `a header whose counts are more than can be counted is refused`() throws {
    let store = try Store(.inMemory, entities: [Link.self, Other.self])
    for counts in [
      #"{"name":"Link","count":9223372036854775807},{"name":"Other","count":1}"#,
      #"{"name":"Link","count":9223372036854775807},{"name":"Other","count":9223372036854775807}"#,
    ] {
      let error = #expect(throws: JSONLinesError.self) {
        try store.importing(data([(1, nil)], counts: counts))
      }
      #expect(error?.line == 1)
      #expect(error?.description.contains("more objects than can be counted") ?? false)
    }
  }
}

/// A name that Swift holds to be the same in two forms.
private struct Place: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Place.id, name: "caf\u{E9}"))
  static let schema = Schema(attributes, Place.init)
}

@Suite struct `Names in JSON Lines are compared by their bytes` {
  @Test func `S8: another form of an attribute's name is another name`() throws {
    let header =
      #"{"format":"signalbox-objects","version":1,"entities":[{"name":"Place","count":1}]}"# + "\n"
    let store = try Store(.inMemory, entities: [Place.self])
    func line(_ values: String) -> Data {
      Data((header + #"{"entity":"Place","values":{\#(values)}}"# + "\n").utf8)
    }
    let error = #expect(throws: JSONLinesError.self) {
      try store.importing(line("\"cafe\u{301}\":1"))
    }
    #expect(error?.problem == .unknownAttribute("cafe\u{301}", entity: "Place"))
    let twice = #expect(throws: JSONLinesError.self) {
      try store.importing(line("\"caf\u{E9}\":1,\"cafe\u{301}\":1"))
    }
    // It isn't there twice, but none of the entity's.
    #expect(twice?.problem == .unknownAttribute("cafe\u{301}", entity: "Place"))
    try store.importing(line("\"caf\u{E9}\":1"))
    #expect(try store.count(Query<Place>()) == 1)
  }
}

private struct Other: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Other.id))
  static let schema = Schema(attributes, Other.init)
}

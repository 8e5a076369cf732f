import EntityStore
import FetchedObjects
import TestSupport
import Testing

/// A number that is stored with its sign; a `Double` stores 0.0 for -0.0.
private struct SignedNumber: Storable {
  var number: Double
  static var storedType: StoredType { .real }
  var storedValue: StoredValue { .real(number) }

  init(_ number: Double) { self.number = number }

  init(storedValue: StoredValue) throws { number = try Double(storedValue: storedValue) }
}

private struct Depth: Entity {
  let id: Int
  var level: SignedNumber
  var name: String
  static let attributes = Attributes(
    .id(\Depth.id), .attribute("level", \.level), .attribute("name", \.name))
  static let schema = Schema(attributes, Depth.init)
}

@Suite struct SectionTitleTests {
  @Test(arguments: [1, 3])
  func `F4: a section has the title of its newest row, though 0 is -0`(_ count: Int) throws {
    let store = try Store(.inMemory, entities: [Depth.self])
    try store.commit { draft in
      for id in 1...3 { try draft.insert(Depth(id: id, level: SignedNumber(0), name: "a")) }
    }
    let model = try FetchedObjectsModel(Query<Depth>().sectioned { $0.level }, in: store)
    #expect(model.sections.map(\.name) == ["0.0"])
    try store.commit { draft in
      for id in 1...count {
        try draft.update(Depth.self, id) { ($0.level, $0.name) = (SignedNumber(-0.0), "b") }
      }
    }
    #expect(model.sections.map(\.name) == ["-0.0"])
    #expect(model.sections.map(\.count) == [3])
  }
}

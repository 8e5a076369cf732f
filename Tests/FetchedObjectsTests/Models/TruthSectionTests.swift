import EntityStore
import FetchedObjects
import Fixtures
import TestSupport
import Testing

/// Sections by what is true or false, which is stored as a number.
@Suite struct TruthSectionTests {
  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore([Port.self, Line.self, Crate.self])
    try store.commit { draft in
      for place in 0..<5 {
        try draft.insert(
          Crate(id: .init(yard: "A", place: place), isFull: place.isMultiple(of: 2)))
      }
      try draft.insert(Port(id: 1, name: "Rotterdam"))
      try draft.insert(Line(id: 1, port: Ref(1)))
      try draft.insert(Line(id: 2, port: nil))
    }
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `F4: sections by a Bool are titled "false" and "true", in this order`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let query = Query<Crate>().sectioned { $0.isFull }
    let model = try FetchedObjectsModel(query, in: store)
    #expect(model.sections.map(\.name) == ["false", "true"])
    #expect(model.sections.map(\.count) == [2, 3])
    #expect(model.sections.map(\.identity) == [.integer(0), .integer(1)])
    #expect(model.section(for: SectionID(true))?.name == "true")
    #expect(model.sectionIndexTitles == ["F", "T"])
    let turned = try FetchedObjectsModel(query.sorted { [$0.isFull.descending] }, in: store)
    #expect(turned.sections.map(\.name) == ["true", "false"])
    let window = try FetchedObjectsModel(query.limit(2, offset: 1), in: store)
    #expect(window.sections.map(\.name) == ["false", "true"])
    let indexed = try IndexedObjectsModel(query, in: store)
    #expect(indexed.sections.map(\.name) == ["false", "true"])
    let once = try ListSnapshot(query, in: store)
    #expect(once.sections.map(\.name) == ["false", "true"])
    let derived = model.filter { $0.id.place < 3 }
    #expect(derived.sections.map(\.name) == ["false", "true"])
    // One that comes with a commit.
    try store.commit { draft in
      for place in [0, 2, 4] {
        try draft.update(Crate.self, .init(yard: "A", place: place)) { $0.isFull = false }
      }
    }
    #expect(model.sections.map(\.name) == ["false"])
    try store.commit {
      try $0.update(Crate.self, .init(yard: "A", place: 1)) { $0.isFull = true }
    }
    #expect(model.sections.map(\.name) == ["false", "true"])
    #expect(indexed.sections.map(\.name) == ["false", "true"])
  }

  @Test(arguments: TestStorage.withServer)
  func `F4: so are sections by a condition, and those whose title is one`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let lines = try FetchedObjectsModel(
      Query<Line>().sectioned { $0.port.name == "Rotterdam" }, in: store)
    #expect(lines.sections.map(\.name) == ["false", "true"])
    let titled = try FetchedObjectsModel(
      Query<Line>().sectioned(
        by: { $0.port }, title: { $0.port.isNil }, order: { $0.port.name.ascending }),
      in: store)
    #expect(titled.sections.map(\.name) == ["true", "false"])
    // A number is one.
    let numbers = try FetchedObjectsModel(Query<Line>().sectioned { $0.id }, in: store)
    #expect(numbers.sections.map(\.name) == ["1", "2"])
  }
}

import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

private func row(_ car: EntityView<Car>) -> CarRow {
  CarRow(diffIdentifier: car.id, title: car.model, band: car.year / 10)
}

private func car(_ id: Int) -> Car { Car(id: id, model: "\(id)", year: 2000, owner: nil) }

@Suite struct `Sections of derived lists` {
  @Test func `F13: parts without changes are one event of what is derived from their whole`() throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { try $0.insert(car(1)) }
    let source = try FetchedObjectsModel(
      Query<Car>().sectioned { $0.owner.name }, in: store)
    let mapped = source.map(row)
    let whole = mapped.concatenated(with: mapped)
    let rest = whole.filter { _ in false }
    let again = rest.concatenated(with: rest)
    let (ofWhole, ofRest, ofAgain) = (
      Recorder(whole.didChange), Recorder(rest.didChange), Recorder(again.didChange)
    )
    // The only section without a title becomes the only section of all.
    try source.setQuery(Query<Car>())
    #expect(ofWhole.values.isEmpty)
    #expect(ofRest.values.map(\.changes) == [ListChanges(insertedSections: [0, 1])])
    #expect(ofAgain.values.map(\.changes) == [ListChanges(insertedSections: [0, 1, 2, 3])])
    try store.commit { try $0.insert(car(2)) }
    #expect(ofWhole.values.map(\.versions) == [2...2])
    #expect(ofRest.values.count == 1 && ofAgain.values.count == 1)
  }

  /// A store of two persons, who are 10 and 20, with a car each.
  private func makeStore() throws -> Store {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 1...2 {
        try draft.insert(Person(id: id, name: "\(id)", age: 10 * id))
        try draft.insert(Car(id: id, model: "\(id)", year: 2000, owner: Ref(id)))
      }
    }
    return store
  }

  private let byAge = Query<Car>().sectioned(
    by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.age.ascending })

  @Test func `F9: derived lists have the order of their source's sections, and notify of it`()
    throws
  {
    let store = try makeStore()
    let source = try FetchedObjectsModel(byAge, in: store)
    let mapped = source.map(row)
    let filtered = mapped.filter { _ in true }
    let last = mapped.filter { $0.title == "2" }
    let whole = filtered.concatenated(with: mapped)
    let ids = whole.sections.map(\.id)
    let counts = [
      timesTold { _ = mapped.section(for: SectionID(2))?.orderKey },
      timesTold { _ = filtered.section(for: SectionID(2))?.orderKey },
      timesTold { _ = last.section(for: SectionID(2))?.orderKey },
      timesTold { _ = whole.section(for: ids[1])?.orderKey },
      timesTold { _ = whole.section(for: ids[3])?.orderKey },
    ]
    let others = [
      timesTold { _ = mapped.section(for: SectionID(1))?.orderKey },
      timesTold { _ = whole.section(for: ids[0])?.orderKey },
    ]
    let events = [Recorder(mapped.didChange), Recorder(filtered.didChange)]
    let ofWhole = Recorder(whole.didChange)
    try store.commit { try $0.update(Person.self, 2) { $0.age = 30 } }
    #expect(source.sections.map(\.orderKey) == [.integer(10), .integer(30)])
    #expect(mapped.sections.map(\.orderKey) == [.integer(10), .integer(30)])
    #expect(filtered.sections.map(\.orderKey) == [.integer(10), .integer(30)])
    #expect(
      whole.sections.map(\.orderKey) == [.integer(10), .integer(30), .integer(10), .integer(30)])
    #expect(last.sections.map(\.orderKey) == [.integer(30)])
    #expect(counts.map(\.value) == [1, 1, 1, 1, 1] && others.map(\.value) == [0, 0])
    #expect(events.allSatisfy { $0.values.isEmpty } && ofWhole.values.isEmpty)
  }

  @Test func `F9: a section that moves in the source alone has its new order in a derived list`()
    throws
  {
    let store = try makeStore()
    let source = try FetchedObjectsModel(byAge, in: store)
    let filtered = source.map(row).filter { $0.title == "2" }
    let compact = source.compactMap { $0.id == 2 ? row($0) : nil }
    let counts = [
      timesTold { _ = filtered.section(for: SectionID(2))?.orderKey },
      timesTold { _ = compact.section(for: SectionID(2))?.orderKey },
    ]
    let events = [Recorder(filtered.didChange), Recorder(compact.didChange)]
    try store.commit { try $0.update(Person.self, 2) { $0.age = 5 } }
    #expect(source.sections.map(\.orderKey) == [.integer(5), .integer(10)])
    #expect(filtered.sections.map(\.orderKey) == [.integer(5)])
    #expect(compact.sections.map(\.orderKey) == [.integer(5)])
    #expect(counts.map(\.value) == [1, 1])
    #expect(events.map(\.values.count) == [0, 0])
  }

  @Test func `F9: readers of a derived section are notified if a query orders it by another value`()
    throws
  {
    let store = try makeStore()
    let source = try FetchedObjectsModel(byAge, in: store)
    let filtered = source.filter { _ in true }
    let whole = source.concatenated(with: source)
    let index = try IndexedObjectsModel(byAge, in: store)
    let last = whole.sections[3].id
    let counts = [
      timesTold { _ = filtered.section(for: SectionID(2))?.orderKey },
      timesTold { _ = whole.section(for: last)?.orderKey },
      timesTold { _ = index.section(for: SectionID(2))?.orderKey },
    ]
    let byName = Query<Car>().sectioned(
      by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.name.ascending })
    try source.setQuery(byName)
    try index.setQuery(byName)
    #expect(filtered.sections.map(\.orderKey) == [.text("1"), .text("2")])
    #expect(whole.sections[3].orderKey == .text("2"))
    #expect(index.sections.map(\.orderKey) == [.text("1"), .text("2")])
    #expect(counts.map(\.value) == [1, 1, 1])
  }

  @Test(arguments: [1, 2], [0, 10])
  func `F4: a section moves in a filter, too, if its order is that of an event long ago`(
    _ stale: Int, _ change: Int
  ) throws {
    let store = try makeStore()
    let source = try FetchedObjectsModel(byAge, in: store)
    let list = source.map(row).filter { _ in true }
    let events = Recorder(list.didChange)
    // Neither a row nor a title changes, and no section passes the other.
    let age = stale == 1 ? 0 : 30
    try store.commit { try $0.update(Person.self, stale) { $0.age = age } }
    #expect(events.values.isEmpty)
    try store.commit { draft in
      for id in 1...2 {
        try draft.update(Person.self, id) { person in
          if id == stale { person.name += "!" }
          person.age = id == stale ? 10 * stale : stale == 1 ? change : 20 + change
        }
      }
    }
    func plain(_ list: ListSnapshot<CarRow>) -> [ListSection<String, String>] {
      list.sections.map { ListSection(header: $0.name, rows: $0.map(\.title)) }
    }
    for event in events.values {
      var sections = plain(event.before)
      event.changes.apply(to: &sections) {
        event.after.sections[$0].name
      } row: {
        event.after.sections[$0.section][$0.row].title
      }
      #expect(sections == plain(event.after))
    }
    #expect(list.sections.map(\.name) == source.sections.map(\.name))
    #expect(events.values.count == 1)
  }
}

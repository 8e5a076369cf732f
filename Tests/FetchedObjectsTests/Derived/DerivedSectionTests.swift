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

  @Test(arguments: [1, 2], [0, 10])
  func `F4: a section moves in a filter, too, if its order is that of an event long ago`(
    _ stale: Int, _ change: Int
  ) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 1...2 {
        try draft.insert(Person(id: id, name: "\(id)", age: 10 * id))
        try draft.insert(Car(id: id, model: "\(id)", year: 2000, owner: Ref(id)))
      }
    }
    let source = try FetchedObjectsModel(
      Query<Car>().sectioned(
        by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.age.ascending }),
      in: store)
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

import EntityStore
import Fixtures
import ListDiffing
import Locking
import TestSupport
import Testing

@testable import FetchedObjects

@Suite(.oneThread) struct `The rows that another window may show, too` {
  @Test func `F7: a window of a large result takes room for its own rows`() throws {
    let store = try TestStorage.memory.makeGarage()
    // A window around a row is a range of all rows.
    NearRowsLimits.of(store).most.store(0)
    try store.commit { draft in
      for id in 0..<1000 { try draft.insert(Car(id: id, model: "", year: id, owner: nil)) }
    }
    let query = Query<Car>().sorted { [$0.year.ascending] }
    let model = try FetchedObjectsModel(query.limit(1), in: store)
    try model.setWindow(around: 900, before: 2, after: 2)
    let shown = model.shown.result
    #expect(shown.base.count == 1000)
    #expect(UnmatchedRows(shown).room == 5)
    #expect(UnmatchedRows(ResultView(shown.base, nil)).room == 1000)

    var rows = UnmatchedRows(shown)
    let slots = (0..<shown.count).compactMap { shown.base.table.slot(of: shown.row($0).id) }
    let paths = slots.map { rows.take($0) }
    #expect(paths == (0..<5).map { ListPath(section: 0, row: $0) })
    let again = rows.take(slots[0])
    #expect(again == nil)

    let events = Recorder(model.didChange)
    try model.setWindow(offset: 899, limit: 3)
    #expect(model.fetchedObjects.map(\.id) == [899, 900, 901])
    #expect(
      events.values.map(\.changes) == [
        ListChanges(deletes: [ListPath(section: 0, row: 0), ListPath(section: 0, row: 4)])
      ])
  }
}

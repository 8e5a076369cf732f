#if PostgreSQL
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import TestSupport
import Testing

private struct Gauge: Entity {
  let id: Int
  var level: Double
  static let attributes = Attributes(.id(\Gauge.id), .attribute("level", \.level))
  static let schema = Schema(attributes, Gauge.init)
}

@Suite struct `Lists of numbers among which a tool has written NaN` {
  @Test(arguments: [true, false])
  func `F3, F7: a list that keeps only positions finds its rows, and inserts in order`(
    _ isAscending: Bool
  ) throws {
    let place = try ToolPlace()
    let store = try place.open([Gauge.self])
    try store.commit { draft in
      for id in 1...20 { try draft.insert(Gauge(id: id, level: Double(id))) }
    }
    // More rows than numbers, so that each search meets one.
    #expect(
      place.psql(
        #"INSERT INTO "Gauge" (id, level) SELECT n, 'NaN'::float8 "#
          + "FROM generate_series(101, 160) AS n"))
    try store.refresh()
    let query = Query<Gauge>().sorted { [isAscending ? $0.level.ascending : $0.level.descending] }
    let model = try IndexedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    #expect(model.count == 80)
    func path(_ row: Int) -> ListPath { ListPath(section: 0, row: row) }
    for id in 1...20 {
      expectEqual(try model.path(for: id), path(isAscending ? id - 1 : 80 - id), "\(id)")
    }
    try store.commit { try $0.insert(Gauge(id: 21, level: 2.5)) }
    #expect(events.values.map(\.changes.inserts) == [[path(isAscending ? 2 : 78)]])
    #expect(model.error == nil)
  }
}
#endif

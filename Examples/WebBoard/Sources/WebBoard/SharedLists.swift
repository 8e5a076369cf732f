import DeparturesModel
import Signalbox
import WebFeeds

/// The lists that are on every page: the board's time, and the counts by status.
struct SharedLists: Sendable {
  let clock: EventStreamList
  let stages: EventStreamList
  private let source: String

  init(_ run: BoardRun) throws {
    source = run.dispatcher.source
    let clocks = run.dispatcher.tables.clocks
    let playhead = try FetchedObjectsModel(Query<Playhead>(), in: run.store)
    let stages = try FetchedObjectsModel(
      Query<Stage>().sorted { [$0.order.ascending] }, in: run.store)
    clock = EventStreamList("clock", of: playhead, identity: Self.identity(source, "clock")) {
      FeedValues(clock: $0, clocks: clocks)
    }
    self.stages = EventStreamList(
      "stages", of: stages, identity: Self.identity(source, "stages"),
      row: { FeedValues(stage: $0) })
  }

  /// Returns the number of a list, which is the same in each run with the same data.
  ///
  /// So a page that was up to date when the server ended gets nothing again.
  func identity(_ name: String) -> UInt64 { Self.identity(source, name) }

  private static func identity(_ source: String, _ name: String) -> UInt64 {
    var sum = Fingerprint()
    sum.add(source)
    sum.add(name)
    return sum.value
  }
}

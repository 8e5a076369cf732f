import DeparturesModel
import Signalbox

extension BoardPresenter {
  /// Calls `body` with all rows in order, with the section of each.
  ///
  /// Rows are read a few at a time.
  ///
  /// For a year, only the rows that are being passed are in memory.
  func forEachRow(_ body: (BoardHeader, BoardRow) -> Void) throws {
    guard windowLimit != nil else {
      for section in board {
        for row in section.rows { body(section.header, row) }
      }
      return
    }
    let all = try IndexedObjectsModel(
      request.query, in: store, delivery: .mainActor, policy: .every, cacheCapacity: 2000,
      batchSize: 1000)
    for (section, info) in all.sections.enumerated() {
      let header = BoardHeader(key: info.identity.description, title: info.name)
      for row in 0..<info.count {
        guard let flight = try all.view(at: ListPath(section: section, row: row)) else { continue }
        body(header, BoardRow(flight, clocks: clocks))
      }
    }
  }
}

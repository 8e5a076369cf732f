import EntityStore
import ListDiffing
import Locking
import SQLitePersistence
import TestSupport
import Testing

@_spi(Inspection) @testable import FetchedObjects

@Suite struct `A row number that was given to another row is never read for the old one` {
  private let path = temporaryPath()
  private let here: Store
  private let raw: RawDatabase
  private let query = Query<LabelledTag>().sorted { [$0.id.ascending] }
  private let ids = (1...9).map { "tag \($0)" }

  init() throws {
    here = try Store(
      .sqlite(path: path, durability: .normal, watching: .none), entities: [LabelledTag.self])
    raw = try RawDatabase(path)
    try here.commit { draft in
      for number in [5, 1, 9, 3, 7, 2, 8, 4, 6] {
        try draft.insert(LabelledTag(id: "tag \(number)", label: "label \(10 - number)"))
      }
    }
  }

  /// Gives the numbers to other rows, and changes nothing else.
  private func renumber(by order: String) throws {
    try raw.rows("BEGIN")
    try raw.rows("CREATE TEMP TABLE kept AS SELECT * FROM LabelledTag ORDER BY \(order)")
    try raw.rows("DELETE FROM LabelledTag")
    try raw.rows("INSERT INTO LabelledTag SELECT * FROM kept")
    try raw.rows("DROP TABLE kept")
    try raw.rows("COMMIT")
  }

  private func path(_ row: Int) -> ListPath { ListPath(section: 0, row: row) }

  @Test func `P5, F7: an object that isn't shown has no path, whatever number it has got`() throws {
    let model = try IndexedObjectsModel(query, in: here, cacheCapacity: 0, batchSize: 1)
    // The last row's number is given again. The new row's place is where the deleted one is shown.
    let found = try raw.rows("SELECT id FROM LabelledTag ORDER BY rowid DESC LIMIT 1")
    let last = try #require(found[0][0])
    let number = try #require(last.last?.wholeNumberValue)
    try raw.rows("DELETE FROM LabelledTag WHERE id = '\(last)'")
    let new = "tag \(number - 1)b"
    try raw.rows("INSERT INTO LabelledTag (id, label, weight) VALUES ('\(new)', 'x', 0)")
    #expect(try model.path(for: new) == nil)
    try here.refresh()
    #expect(try model.path(for: new) == path(number - 1))
    // An object that is shown keeps its path, whatever of it changes.
    try raw.rows("UPDATE LabelledTag SET label = 'z' WHERE id = 'tag 2'")
    #expect(try model.path(for: "tag 2") == path(1))
  }

  @Test func `P5, F7: a row that is written again has no path by another row's number`() throws {
    let there = try Store(
      .sqlite(path: path, durability: .normal, watching: .none), entities: [LabelledTag.self])
    try here.commit { draft in
      try draft.deleteAll(Query<LabelledTag>())
    }
    for (number, id) in ["a", "x", "b"].enumerated() {
      try here.commit {
        try $0.insert(LabelledTag(id: id, label: "old \(id)", weight: number + 1))
      }
    }
    let model = try IndexedObjectsModel(
      Query<LabelledTag>().sorted { [$0.weight.ascending] }, in: here, cacheCapacity: 0)
    // The unique label changes, so the row of a is written again, with the number that b had.
    try there.commit { draft in
      try draft.delete(LabelledTag.self, "b")
      try draft.update(LabelledTag.self, "a") {
        $0.label = "z"
        $0.weight = 3
      }
    }
    #expect(try model.path(for: "a") != path(2))
  }

  @Test(arguments: [0, 100])
  func `P5, F7: a read that began before they moved finds nothing and is repeated`(
    _ capacity: Int
  ) throws {
    let model = try IndexedObjectsModel(query, in: here, cacheCapacity: capacity, batchSize: 1)
    let follower = model.follower
    // As on a thread that goes on after all that follows.
    let ahead = follower.ahead
    try renumber(by: "label")
    try here.refresh()
    // Others are kept under the old numbers now, if any are.
    for row in ids.indices { #expect(try model.id(at: path(row)) == ids[row]) }
    #expect(model.cachedObjectCount == min(capacity, 9))
    for row in ids.indices {
      #expect(follower.keptRow(at: path(row), ahead) == nil)
      #expect(try follower.read([path(row)], ahead) == nil)
      #expect(try model.id(at: path(row)) == ids[row])
      #expect((follower.keptRow(at: path(row)) == nil) == (capacity == 0))
    }
  }

  @Test(arguments: [false, true])
  func `P5, F12: what was read until that is taken in is released afterwards`(
    _ isEmpty: Bool
  ) throws {
    let model = try IndexedObjectsModel(query, in: here, cacheCapacity: 0, batchSize: 1)
    let live = model.follower.live
    struct Held { weak var whole: IndexSnapshot? }
    try renumber(by: "label")
    #expect(try model.id(at: path(0)) == ids[0])
    let held = Held(whole: live.core.state.withLock { $0.details.external?.whole })
    #expect(held.whole != nil)
    if !isEmpty { try raw.rows("DELETE FROM LabelledTag WHERE id = 'tag 9'") }
    try here.refresh()
    #expect(try model.id(at: path(0)) == ids[0])
    #expect(model.count == (isEmpty ? 9 : 8))
    #expect(held.whole == nil)
  }

  @Test func `P5, F7: one walk finds the rows until that is taken in`() throws {
    let model = try IndexedObjectsModel(query, in: here, cacheCapacity: 0, batchSize: 1)
    func readAll() throws {
      for row in ids.indices {
        #expect(try model.id(at: path(row)) == ids[row])
        #expect(try model.path(for: ids[row]) == path(row))
      }
    }
    try readAll()
    let first = model.work.fetches
    try renumber(by: "label")
    try readAll()
    try readAll()
    #expect(model.work.fetches == first + 1)
    // What follows is another version.
    try renumber(by: "id")
    try readAll()
    #expect(model.work.fetches == first + 2)
    try here.refresh()
    let last = model.work.fetches
    try readAll()
    #expect(model.work.fetches == last)
  }
}

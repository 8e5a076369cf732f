import EntityStore
import Fixtures
import Foundation
import ListDiffing
import ListFixtures
import TestSupport
import Testing

@testable import FetchedObjects

/// The pages of a feed over one commit.
private struct Pages {
  let store: Store
  let model: FetchedObjectsModel<Car>
  let first: FeedPage<FeedValues>
  let second: FeedPage<FeedValues>

  init() throws {
    store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    model = try FetchedObjectsModel(byOwner, in: store)
    first = model.feed(after: nil)
    try store.commit { draft in
      try draft.update(Person.self, 2) { $0.name = "Abe" }
      try draft.insert(Car(id: 5, model: "Audi", year: 1999, owner: Ref(ann)))
    }
    second = model.feed(after: first.cursor)
  }

  /// The second page with other parts.
  func changed(
    sections: (FeedPage<FeedValues>.PlacedSection) -> Bool = { _ in true },
    rows: (FeedPage<FeedValues>.PlacedRow) -> Bool = { _ in true },
    list: (ListChanges) -> ListChanges = { $0 }
  ) -> FeedPage<FeedValues> {
    guard case .changes(let changes) = second.news else { return second }
    return FeedPage(
      cursor: second.cursor,
      news: .changes(
        .init(
          after: changes.after, list: list(changes.list),
          sections: changes.sections.filter(sections), rows: changes.rows.filter(rows))))
  }
}

@Suite struct FeedListTests {
  @Test func `A page that doesn't fit throws, names the reason and changes nothing`() throws {
    let pages = try Pages()
    var list = FeedList<FeedValues>()
    #expect(throws: FeedError.otherList(after: pages.first.cursor, found: nil)) {
      try list.apply(pages.second)
    }
    #expect(list == FeedList())
    try list.apply(pages.first)
    let begun = list
    #expect(throws: FeedError.missingSection(0)) {
      try list.apply(pages.changed(sections: { $0.position != 0 }))
    }
    #expect(throws: FeedError.missingRow(ListPath(section: 1, row: 0))) {
      try list.apply(pages.changed(rows: { $0.path != ListPath(section: 1, row: 0) }))
    }
    #expect(throws: FeedError.misfit(.oldSectionOutOfRange(9, counts: .init(old: 2, new: 1)))) {
      try list.apply(pages.changed(list: { _ in ListChanges(deletedSections: [9]) }))
    }
    #expect(
      throws: FeedError.wrongSum(expected: pages.second.cursor.sum, found: pages.first.cursor.sum)
    ) {
      try list.apply(pages.changed(list: { _ in ListChanges() }))
    }
    #expect(list == begun)
    try list.apply(pages.second)
    #expect(list.cursor == pages.second.cursor)
    #expect(list.sum == pages.second.cursor.sum)
    #expect(list.sections.map(\.header.title) == ["Abe", "Ann"])
    #expect(
      throws: FeedError.otherList(after: pages.first.cursor, found: pages.second.cursor)
    ) {
      try list.apply(pages.second)
    }
    let words = "\(FeedError.wrongSum(expected: 1, found: 2))"
    #expect(
      words
        == "The list's check sum is 0000000000000002, not 0000000000000001; "
        + "ask for the whole list, without a cursor")
  }

  @Test func `A client keeps its list as a page and begins with that`() throws {
    let pages = try Pages()
    var list = FeedList<FeedValues>()
    #expect(list.page == nil)
    try list.apply(pages.first)
    let kept = try JSONEncoder().encode(list.page)
    var resumed = FeedList<FeedValues>()
    try resumed.apply(JSONDecoder().decode(FeedPage<FeedValues>.self, from: kept))
    #expect(resumed == list)
    try resumed.apply(pages.second)
    try list.apply(pages.second)
    #expect(resumed == list)
  }

  @Test func `The text of a cursor is read back, and no other text is`() throws {
    for cursor in [
      FeedCursor(feed: 0, version: 0, sum: 0),
      FeedCursor(feed: .max, version: .max, sum: .max), FeedCursor(feed: 1, version: 42, sum: 9),
    ] {
      #expect(FeedCursor(cursor.description) == cursor)
      let text = try JSONEncoder().encode([cursor])
      #expect(String(decoding: text, as: UTF8.self) == "[\"\(cursor)\"]")
      #expect(try JSONDecoder().decode([FeedCursor].self, from: text) == [cursor])
    }
    #expect(
      "\(FeedCursor(feed: 1, version: 42, sum: 255))" == "0000000000000001-42-00000000000000ff")
    for text in [
      "", "1-2-3", "0000000000000001-42", "0000000000000001-x-00000000000000ff",
      "+000000000000001-42-00000000000000ff", "0000000000000001-42-00000000000000fg",
      "0000000000000001-\(String(repeating: "0", count: 19))42-00000000000000ff",
      "0000000000000001-42-00000000000000ff-", "0000000000000001--42-00000000000000ff",
    ] {
      #expect(FeedCursor(text) == nil, "\(text)")
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([FeedCursor].self, from: Data("[\"7\"]".utf8))
    }
  }

  @Test(arguments: ["-", "0", "0-", "é", "0000000000000001-42-00000000000000ff", "\n"])
  func `What is longer than a cursor isn't looked at, and not repeated in an error`(
    piece: String
  ) throws {
    // To cut all of it at its hyphens would take seconds.
    let text = String(repeating: piece, count: 5_000_000 / piece.utf8.count)
    #expect(FeedCursor(text) == nil)
    let name = String(text.prefix(10_000))
    let data = try JSONEncoder().encode([name])
    do {
      _ = try JSONDecoder().decode([FeedCursor].self, from: data)
      Issue.record("That is no cursor")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.debugDescription.utf8.count < 1000)
      #expect(context.debugDescription.isHarmless)
    }
  }

  @Test func `Plain rows are attributes and included values by name, and lead back to the object`()
    throws
  {
    let pages = try Pages()
    var list = FeedList<FeedValues>()
    try list.apply(pages.first)
    let row = try #require(list.sections.first?.rows.last?.content)
    #expect(
      row.values == [
        "id": .integer(1), "model": .text("Volvo"), "year": .integer(1994), "owner": .integer(1),
        "owner.name": .text("Ann"),
      ])
    #expect(row["owner.age"] == nil)
    let car = try row.value(as: Car.self)
    #expect(car.id == 1 && car.model == "Volvo" && car.year == 1994 && car.owner == Ref(ann))
    #expect(throws: StoreError.self) { try FeedValues(["id": .text("x")]).value(as: Car.self) }
    // A client takes a page from anywhere.
    for id: StoredValue in [.list([]), .list([.list([.integer(1)])])] {
      #expect(throws: StoreError.self) { try FeedValues(["id": id]).value(as: Car.self) }
      #expect(throws: StoreError.self) {
        try FeedValues(["id": id, "model": .integer(1)]).value(as: Car.self)
      }
    }
  }

  @Test func `An object that is read through another is no plain row, which is a precondition`()
    async
  {
    await #expect(processExitsWith: .failure) {
      let store = try TestStorage.memory.makeGarage()
      try store.fillGarage()
      let model = try FetchedObjectsModel(byOwner, in: store)
      _ = model.snapshot[ListPath(section: 0, row: 0)].owner.map(FeedValues.init)
    }
  }

  @Test func `Each kind of stored value survives JSON`() throws {
    let values = FeedValues([
      "null": .null, "whole": .integer(.max), "least": .integer(.min), "part": .real(0.5),
      "endless": .real(.infinity), "below": .real(-.infinity), "text": .text("{\"é\"}"),
      "bytes": .bytes([0, 255, 16]), "none": .bytes([]),
      "list": .list([.integer(1), .text("a"), .bytes([1]), .list([.null])]),
    ])
    let text = try JSONEncoder().encode(values)
    #expect(try JSONDecoder().decode(FeedValues.self, from: text) == values)
    for broken in [
      "{\"a\":{\"bytes\":\"0\"}}", "{\"a\":{\"bytes\":\"0g\"}}", "{\"a\":{\"real\":\"x\"}}",
      "{\"a\":{}}",
    ] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(FeedValues.self, from: Data(broken.utf8))
      }
    }
  }
}

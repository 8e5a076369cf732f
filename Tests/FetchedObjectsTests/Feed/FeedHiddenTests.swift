import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

private struct City: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\City.id), .attribute("name", \.name))
  static let schema = Schema(attributes, City.init)
}

private struct Company: Entity {
  let id: Int
  var city: Ref<City>?
  static let attributes = Attributes(.id(\Company.id), .one("city", \.city))
  static let schema = Schema(attributes, Company.init)
}

private struct Worker: Entity {
  let id: Int
  var company: Ref<Company>?
  static let attributes = Attributes(.id(\Worker.id), .one("company", \.company))
  static let schema = Schema(attributes, Worker.init)
}

private struct Letter: Entity {
  let id: Int
  var text: String
  static let attributes = Attributes(.id(\Letter.id), .attribute("text", \.text))
  static let schema = Schema(attributes, Letter.init, rules: [.fullText(\.text)])
}

/// Changes that no attribute of a row shows.
@Suite struct `Feeds of what rows don't hold` {
  @Test func `F14: rows that move by their relevance alone are fed`() throws {
    let store = try TestStorage.memory.makeStore(Letter.self)
    try store.commit { draft in
      for (id, text) in ["tea", "milk", "milk", "x", "x", "x", "x", "x"].enumerated() {
        try draft.insert(Letter(id: id, text: text))
      }
    }
    let model = try FetchedObjectsModel(
      Query<Letter>().matching("tea OR milk").sorted { [$0.rank(of: "tea OR milk")] }, in: store)
    var list = FeedList<FeedValues>()
    try list.apply(model.feed(after: nil))
    let first = model.snapshot.rows.map(\.value.id)
    try store.commit { draft in
      for id in 8...10 { try draft.insert(Letter(id: id, text: "tea x x x")) }
    }
    #expect(model.snapshot.rows.map(\.value.id).filter { $0 < 8 } != first)
    try list.apply(model.feed(after: list.cursor))
    #expect(
      try list.sections[0].rows.map { try $0.content.value(as: Letter.self).id }
        == model.snapshot.rows.map(\.value.id))
  }

  private func offices() throws -> Store {
    let store = try TestStorage.memory.makeStore(City.self, Company.self, Worker.self)
    try store.commit { draft in
      for id in 1...2 { try draft.insert(City(id: id, name: "Oslo")) }
      try draft.insert(Company(id: 1, city: Ref(1)))
      try draft.insert(Worker(id: 1, company: Ref(1)))
    }
    return store
  }

  @Test func `F14: the id of an object on an included path is fed`() throws {
    let store = try offices()
    let model = try FetchedObjectsModel(
      Query<Worker>().including { $0.company.city.name }, in: store)
    let feed = FetchedObjectsFeed(of: model) { $0.company?.city?.id ?? 0 }
    var list = FeedList<Int>()
    try list.apply(feed.page(after: nil))
    try store.commit { try $0.update(Company.self, 1) { $0.city = Ref(2) } }
    #expect(model.snapshot.rows[0].company?.city?.id == 2)
    try list.apply(feed.page(after: list.cursor))
    #expect(list.sections[0].rows.map(\.content) == [2])
    // Back again is a change, too.
    let cursor = list.cursor
    try store.commit { try $0.update(Company.self, 1) { $0.city = Ref(1) } }
    try list.apply(feed.page(after: cursor))
    #expect(list.sections[0].rows.map(\.content) == [1])
  }

  @Test func `F14: so it is to a client whose version isn't held any more`() throws {
    let store = try offices()
    let model = try FetchedObjectsModel(
      Query<Worker>().including { $0.company.city.name }, in: store)
    let feed = FetchedObjectsFeed(of: model, keeping: 1) { $0.company?.city?.id ?? 0 }
    var list = FeedList<Int>()
    try list.apply(feed.page(after: nil))
    try store.commit { try $0.update(Company.self, 1) { $0.city = Ref(2) } }
    // Another client's version takes the place of this one's.
    _ = try feed.page(after: nil)
    try list.apply(feed.page(after: list.cursor))
    #expect(list.sections[0].rows.map(\.content) == [2])
  }

  @Test func `W1: so is one that rows are sorted by, to clients that keep rows`() throws {
    let store = try offices()
    let model = try FetchedObjectsModel(
      Query<Worker>().sorted { [$0.company.city.id.ascending] }
        .including { $0.company.city.name }, in: store)
    let feed = KeyedFeed(of: model, keeping: 10, identity: 1, row: nil) { $0 }
    let first = feed.page(after: nil)
    try store.commit { try $0.update(Company.self, 1) { $0.city = Ref(2) } }
    let next = feed.page(after: first.cursor)
    #expect(next.isKnown && next.changes().count == 1)
  }

  @Test func `F14: another query that only names one more included value is fed`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>().including { $0.owner.name }, in: store)
    var list = FeedList<FeedValues>()
    try list.apply(model.feed(after: nil))
    try model.setQuery(
      Query<Car>().including {
        $0.owner.name
        $0.owner.id
      })
    try list.apply(model.feed(after: list.cursor))
    #expect(
      list.sections[0].rows.allSatisfy { $0.content["owner.id"] != nil })
  }

  @Test func `W1, F17: a sort value that time changes reaches clients that keep rows`() async throws
  {
    let clock = SetClock(100)
    let store = try makeChores(.memory, clock.source, [150])
    let model = try FetchedObjectsModel(
      Query<Chore>().sorted { [($0.due < Moment.now).descending] }, in: store)
    let feed = KeyedFeed(of: model, keeping: 10, identity: 1, row: nil) { $0 }
    let first = feed.page(after: nil)
    clock.now = 200
    await store.clockHasChanged()
    let next = feed.page(after: first.cursor)
    #expect(next.cursor != first.cursor)
    #expect(next.changes().count == 1)
  }
}

import EntityStore
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

/// Feeds of a model that goes on: windows, queries, pauses, callbacks and threads.
@Suite struct FeedStepTests {
  @Test func `F6, F7, F14: a window, another query and a pause are fed as they are shown`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    var list = FeedList<FeedValues>()
    func ask() throws -> String {
      let page = model.feed(after: list.cursor)
      try list.apply(page)
      #expect(list.sections.map(\.header.title) == model.sections.map(\.name))
      #expect(
        try list.sections.map { try $0.rows.map { try $0.content.value(as: Car.self).model } }
          == model.sections.map { $0.map(\.model) })
      return page.kind
    }
    #expect(try ask() == "reset")
    try model.setWindow(offset: 1, limit: 2)
    #expect(try ask() == "changes")
    #expect(list.rowCounts == [1, 1])
    try model.setWindow(offset: 9, limit: 2)
    #expect(try ask() == "changes")
    #expect(list.rowCounts.isEmpty)
    try model.setQuery(Query<Car>().sorted { [$0.year.descending] })
    #expect(try ask() == "changes")
    #expect(list.rowCounts == [4])
    try model.setQuery(byOwner)
    #expect(try ask() == "changes")
    #expect(list.sections.last?.rows.last?.content["owner.name"] == .text("Bob"))
    model.pause()
    try rename("Zoe", in: store)
    #expect(try ask() == "unchanged")
    model.resume()
    #expect(try ask() == "changes")
  }

  @Test func `F2, F14: in a callback the feed leads to what is shown there`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let feed = carFeed(of: model)
    let list = Locked(FeedList<FedCar>())
    func ask() {
      do {
        let page = try feed.page(after: list.withLock { $0.cursor })
        try list.withLock { try $0.apply(page) }
      } catch { Issue.record(error) }
    }
    ask()
    let titles = Recorder(
      model.didChange.map { event -> [[String]] in
        do {
          let page = try feed.page(after: list.withLock { $0.cursor })
          try list.withLock { try $0.apply(page) }
        } catch { Issue.record(error) }
        return [
          list.withLock { $0.sections.map(\.header.title) }, event.after.sections.map(\.name),
        ]
      })
    for name in ["Zoe", "Abe", "Bob"] { try rename(name, in: store) }
    #expect(titles.values.count == 3)
    for pair in titles.values { #expect(pair[0] == pair[1]) }
  }

  @Test func `F14: clients on several threads get pages that fit during commits`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let feed = carFeed(of: model, keeping: 5)
    let resets = Locked(0)
    let ends = Locked<[FeedList<FedCar>]>([])
    onThreads(4) { thread in
      do {
        if thread == 0 {
          for number in 0..<300 { try rename("Name \(number % 7)", in: store) }
        } else {
          var list = FeedList<FedCar>()
          for _ in 0..<300 {
            let page = try feed.page(after: list.cursor)
            if page.kind == "reset" { resets.withLock { $0 += 1 } }
            try list.apply(page)
          }
          ends.withLock { $0.append(list) }
        }
      } catch { Issue.record(error) }
    }
    var lists = ends.withLock { $0 }
    for index in lists.indices { try lists[index].apply(feed.page(after: lists[index].cursor)) }
    #expect(lists.count == 3)
    #expect(lists.allSatisfy { $0 == lists[0] })
    #expect(resets.withLock { $0 } >= 3)
  }
}

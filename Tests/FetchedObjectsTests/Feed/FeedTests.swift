import EntityStore
import Foundation
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

private struct FedCar: Codable, Hashable {
  var model: String
  var owner: String?
}

private func text(_ page: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(page), as: UTF8.self)
}

private func rows(
  of model: FetchedObjectsModel<Car>, keeping limit: Int = 100, identity: UInt64 = 1
) -> FetchedObjectsFeed<FeedPage<FedCar>> {
  FetchedObjectsFeed(of: model, keeping: limit, identity: identity) {
    FedCar(model: $0.model, owner: $0.owner?.name)
  }
}

extension FeedPage {
  fileprivate var kind: String {
    switch news {
    case .unchanged: "unchanged"
    case .changes: "changes"
    case .reset: "reset"
    }
  }
}

private func rename(_ name: String, in store: Store) throws {
  try store.commit { draft in try draft.update(Person.self, 1) { $0.name = name } }
}

@Suite struct FeedTests {
  @Test(arguments: TestStorage.allCases)
  func `F14: the form of a page in JSON stays as it is`(_ storage: TestStorage) throws {
    let store = try storage.makeGarage()
    try store.fill()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let feed = rows(of: model)
    let first = try feed.page(after: nil)
    #expect(try text(first) == Golden.reset)
    try store.commit { draft in
      try draft.update(Person.self, 2) { $0.name = "Abe" }
      try draft.update(Car.self, 2) { $0.model = "Panda" }
      try draft.insert(Car(id: 5, model: "Audi", year: 1999, owner: Ref(ann)))
    }
    let second = try feed.page(after: first.cursor)
    #expect(try text(second) == Golden.changes)
    let third = try feed.page(after: second.cursor)
    #expect(try text(third) == Golden.unchanged)
    for page in [first, second, third] {
      let copy = try JSONDecoder().decode(
        FeedPage<FedCar>.self, from: JSONEncoder().encode(page))
      #expect(copy == page)
    }
  }

  @Test func `F14: a check sum can be computed from what was sent, in the order of the list`() {
    var hash = FeedHash()
    #expect(hash.value == 0xCBF2_9CE4_8422_2325)
    for byte in "foobar".utf8 { hash.combine(byte) }
    // A vector of FNV-1a's authors.
    #expect(hash.value == 0x8594_4171_F739_67E8)
    var (left, right, all) = (FeedSum(), FeedSum(), FeedSum())
    for number in UInt64(1)...5 {
      if number < 3 { left.append(FeedSum(of: number)) } else { right.append(FeedSum(of: number)) }
      all.append(FeedSum(of: number))
    }
    let end = right
    left.append(right)
    #expect(left == all, "the sums of two stretches give that of both")
    right.append(FeedSum())
    #expect(right == end)
    var other = FeedSum(of: 2)
    for number in [UInt64(1), 3, 4, 5] { other.append(FeedSum(of: number)) }
    #expect(other != all, "the order counts")
  }

  @Test func `F14: any value that differs gives another hash, and equal ones the same`() throws {
    let all: [StoredValue] = [
      .null, .integer(0), .integer(1), .integer(-1), .real(0), .real(1), .text(""), .text("0"),
      .text("1"), .bytes([]), .bytes([0]), .bytes([0, 0]), .list([]), .list([.null]),
      .list([.null, .null]), .list([.list([.null])]), .text("é"), .text("e\u{301}"),
    ]
    func hash(_ value: StoredValue) -> UInt64 {
      var hash = FeedHash()
      hash.combine(value)
      return hash.value
    }
    #expect(Set(all.map(hash)).count == all.count)
    #expect(hash(.real(-0.0)) == hash(.real(0.0)))
    #expect(
      FeedHash(ofSection: .null, title: "a") != FeedHash(ofSection: .text("a"), title: ""))
    #expect(FeedHash(ofRowsWith: ["a"]) != FeedHash(ofRowsWith: ["b"]))
  }

  @Test func `F14: the check sum tells each attribute, included value, title and place`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let model = try FetchedObjectsModel(
      Query<Car>()
        .sectioned(by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.id.ascending })
        .including { $0.owner.age }, in: store)
    var sums: Set<UInt64> = [model.feed(after: nil).cursor.sum]
    func expectAnother(_ what: String, _ body: (borrowing Draft) throws -> Void) throws {
      try store.commit { draft in try body(draft) }
      #expect(sums.insert(model.feed(after: nil).cursor.sum).inserted, "\(what)")
    }
    try expectAnother("an attribute") { try $0.update(Car.self, 1) { $0.year = 1 } }
    try expectAnother("an included value") { try $0.update(Person.self, 1) { $0.age = 31 } }
    try expectAnother("a title") { try $0.update(Person.self, 1) { $0.name = "Zoe" } }
    try expectAnother("a section") { try $0.update(Car.self, 1) { $0.owner = Ref(bob) } }
    try expectAnother("a row less") { try $0.delete(Car.self, 4) }
    let swapped = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.id.descending] }.including { $0.owner.age }, in: store)
    let plain = try FetchedObjectsModel(Query<Car>().including { $0.owner.age }, in: store)
    #expect(swapped.feed(after: nil).cursor.sum != plain.feed(after: nil).cursor.sum, "the order")
    let twice = try FetchedObjectsModel(Query<Car>().including { $0.owner.age }, in: store)
    #expect(twice.feed(after: nil).cursor.sum == plain.feed(after: nil).cursor.sum)
  }

  @Test func `R3, F14: no lock is held while what was made for clients is let go of`() throws {
    final class Sent: Sendable {
      let end: @Sendable () -> Void
      init(_ end: @escaping @Sendable () -> Void) { self.end = end }
      deinit { end() }
    }
    final class Ends: Sendable {
      let feed = Locked<FetchedObjectsFeed<Sent>?>(nil)
      let count = Locked(0)
      func end() {
        let feed = feed.withLock { $0 }
        _ = feed?.heldVersionCount
        _ = feed?.heldVersionLimit
        count.withLock { $0 += 1 }
      }
    }
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let ends = Ends()
    let feed = FetchedObjectsFeed(of: model, keeping: 2, row: FeedValues.init) { _ in
      Sent { ends.end() }
    }
    ends.feed.withLock { $0 = feed }
    #expect(
      finishes(within: .seconds(60)) {
        do {
          for number in 0..<10 {
            try rename("Name \(number)", in: store)
            _ = try feed.page(after: nil)
          }
          feed.heldVersionLimit = 1
        } catch { Issue.record(error) }
      })
    #expect(ends.count.withLock { $0 } == 9)
    ends.feed.withLock { $0 = nil }
  }

  @Test func `F14: a cursor that isn't known gets a reset, whatever it is`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let feed = rows(of: model)
    let cursor = try feed.page(after: nil).cursor
    #expect(try feed.page(after: cursor).kind == "unchanged")
    let (identity, version, sum) = (cursor.feed, cursor.version, cursor.sum)
    let others = [
      FeedCursor(feed: identity + 1, version: version, sum: sum),
      FeedCursor(feed: identity, version: version + 1, sum: sum),
      FeedCursor(feed: identity, version: version - 1, sum: sum),
      FeedCursor(feed: identity, version: .max, sum: sum),
      FeedCursor(feed: identity, version: version, sum: sum ^ 1),
    ]
    for other in others { #expect(try feed.page(after: other).kind == "reset", "\(other)") }
    try rename("Zoe", in: store)
    for other in others { #expect(try feed.page(after: other).kind == "reset", "\(other)") }
    #expect(try feed.page(after: cursor).kind == "changes")
    // Another life of the process: the same versions, another feed.
    let next = FetchedObjectsFeed(of: model) { FedCar(model: $0.model) }
    #expect(try next.page(after: cursor).kind == "reset")
    #expect(model.feed(after: cursor).kind == "reset")
  }

  @Test func `F14: with an identity that is given, who is up to date goes on in another life`()
    throws
  {
    let store = try TestStorage.file.makeGarage()
    try store.fill()
    let first = rows(of: try FetchedObjectsModel(byOwner, in: store), identity: 7)
    let old = try first.page(after: nil).cursor
    try rename("Zoe", in: store)
    let new = try first.page(after: old).cursor
    let second = rows(of: try FetchedObjectsModel(byOwner, in: store), identity: 7)
    #expect(try second.page(after: old).kind == "reset")
    #expect(try second.page(after: new).kind == "unchanged")
  }

  @Test func `F14: a page is made once for all clients that are at the same place`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let made = Locked(0)
    let shown = Locked(0)
    let feed = FetchedObjectsFeed(of: model) { car in
      shown.withLock { $0 += 1 }
      return FedCar(model: car.model, owner: car.owner?.name)
    } page: { page -> FeedPage<FedCar> in
      made.withLock { $0 += 1 }
      return page
    }
    var cursors: [FeedCursor] = []
    for _ in 0..<100 { cursors.append(try feed.page(after: nil).cursor) }
    #expect(made.withLock { $0 } == 1)
    #expect(shown.withLock { $0 } == 3)
    for cursor in cursors { #expect(try feed.page(after: cursor).kind == "unchanged") }
    #expect(made.withLock { $0 } == 2)
    for number in 1...50 {
      let unknown = FeedCursor(feed: UInt64(number), version: 1, sum: 1)
      #expect(try feed.page(after: unknown).kind == "reset")
    }
    #expect(made.withLock { $0 } == 2, "all whose place isn't known get the same page")
    try store.commit { draft in try draft.update(Car.self, 1) { $0.year = 1995 } }
    for cursor in cursors { #expect(try feed.page(after: cursor).kind == "changes") }
    #expect(made.withLock { $0 } == 3)
    #expect(shown.withLock { $0 } == 4, "one row has changed, and one is made")
  }

  @Test func `F14: what throws is thrown, and made anew for the next client`() throws {
    struct Refusal: Error {}
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let refuses = Locked(true)
    let feed = FetchedObjectsFeed(of: model, row: FeedValues.init) { page -> String in
      if refuses.withLock({ $0 }) { throw Refusal() }
      return page.kind
    }
    #expect(throws: Refusal.self) { try feed.page(after: nil) }
    #expect(feed.heldVersionCount == 0)
    refuses.withLock { $0 = false }
    #expect(try feed.page(after: nil) == "reset")
  }

  @Test func `F12, F14: at the limit the oldest cursor goes, and what a user holds stays`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let feed = rows(of: model, keeping: 3)
    let mine = model.snapshot
    let before = plain(mine, includesOwner: true)
    var cursors: [FeedCursor] = []
    for number in 0..<5 {
      try rename("Name \(number)", in: store)
      cursors.append(try feed.page(after: nil).cursor)
      #expect(feed.heldVersionCount == min(number + 1, 3))
    }
    #expect(
      try cursors.map { try feed.page(after: $0).kind }
        == ["reset", "reset", "changes", "changes", "unchanged"])
    feed.heldVersionLimit = 2
    #expect(feed.heldVersionCount == 2)
    #expect(
      try cursors.map { try feed.page(after: $0).kind }
        == ["reset", "reset", "reset", "changes", "unchanged"])
    #expect(plain(mine, includesOwner: true) == before)
  }

  @Test func `F14: versions that are held are freed when they go, and nobody waits for them`()
    throws
  {
    struct Version { weak let snapshot: ResultSnapshot? }
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let model = try FetchedObjectsModel(byOwner, in: store)
    var feed: FetchedObjectsFeed? = rows(of: model, keeping: 4)
    var versions: [Version] = []
    for number in 0..<50 {
      try rename("Name \(number)", in: store)
      _ = try feed?.page(after: nil)
      versions.append(Version(snapshot: model.follower.shown.base))
    }
    #expect(versions.filter { $0.snapshot != nil }.count == 4)
    feed = nil
    #expect(versions.filter { $0.snapshot != nil }.count == 1)
  }

  @Test func `F14: a feed goes on when its model has gone, and keeps nothing when it goes`() throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    weak var model: FetchedObjectsModel<Car>?
    weak var follower: ResultFollower?
    do {
      let strong = try FetchedObjectsModel(byOwner, in: store)
      model = strong
      follower = strong.follower
      let feed = rows(of: strong)
      let cursor = strong.feed(after: nil).cursor
      #expect(strong.feed(after: cursor).kind == "unchanged")
      _ = try feed.page(after: nil)
    }
    #expect(model == nil && follower == nil)
    let feed = rows(of: try FetchedObjectsModel(byOwner, in: store))
    let cursor = try feed.page(after: nil).cursor
    try rename("Zoe", in: store)
    #expect(try feed.page(after: cursor).kind == "changes")
  }

  @Test func `F6, F7, F14: a window, another query and a pause are fed as they are shown`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
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
    try store.fill()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let feed = rows(of: model)
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

  @Test func `F14: clients on several threads get what fits, while commits go on`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let feed = rows(of: model, keeping: 5)
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

  @Test func `A feed that may hold nothing is a precondition`() async {
    await #expect(processExitsWith: .failure) {
      let store = try TestStorage.memory.makeGarage()
      _ = rows(of: try FetchedObjectsModel(Query<Car>(), in: store), keeping: 0)
    }
    await #expect(processExitsWith: .failure) {
      let store = try TestStorage.memory.makeGarage()
      rows(of: try FetchedObjectsModel(Query<Car>(), in: store)).heldVersionLimit = 0
    }
  }
}

/// What clients in other languages rely on; the hashes and sums were computed by a program in another one.
private enum Golden {
  static let reset =
    #"{"cursor":"0000000000000001-1-8b3a2dbb830148e3","kind":"reset","#
    + #""sections":[{"hash":"7e61e058fe910d05","identity":"Ann","#
    + #""rows":[{"content":{"model":"Fiat","owner":"Ann"},"hash":"f91b654bf46cf723"},"#
    + #"{"content":{"model":"Volvo","owner":"Ann"},"hash":"7575d03d6d719687"}],"title":"Ann"},"#
    + #"{"hash":"020c8e71e9920215","identity":"Bob","rows":[{"content":{"model":"Tesla","#
    + #""owner":"Bob"},"hash":"b041cb86a116b47f"}],"title":"Bob"}]}"#
  static let changes =
    #"{"after":"0000000000000001-1-8b3a2dbb830148e3","changes":{"deletedSections":[1],"#
    + #""deletes":[],"insertedSections":[0],"inserts":[{"row":0,"section":1}],"#
    + #""movedSections":[],"moves":[{"new":{"row":0,"section":0},"old":{"row":0,"section":1}}],"#
    + #""updatedSections":[],"updates":[{"new":{"row":1,"section":1},"old":{"row":0,"#
    + #""section":0}}]},"cursor":"0000000000000001-2-b2808e0443688451","kind":"changes","#
    + #""rows":[{"content":{"model":"Tesla","owner":"Abe"},"hash":"a5b99f869a986ca6","#
    + #""path":{"row":0,"section":0}},{"content":{"model":"Audi","owner":"Ann"},"#
    + #""hash":"c9985464128a8fb2","path":{"row":0,"section":1}},{"content":{"model":"Panda","#
    + #""owner":"Ann"},"hash":"fc0d31fea9ef9588","path":{"row":1,"section":1}}],"#
    + #""sections":[{"hash":"b4c38f9209c897a5","identity":"Abe","position":0,"title":"Abe"}]}"#
  static let unchanged =
    #"{"cursor":"0000000000000001-2-b2808e0443688451","kind":"unchanged"}"#
}

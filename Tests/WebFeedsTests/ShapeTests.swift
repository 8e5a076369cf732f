@_spi(Storage) import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import Foundation
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import WebFeeds

private func text(_ answer: WebAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

extension ShapeReply {
  fileprivate var answer: WebAnswer? {
    switch self {
    case .answer(let answer), .waiting(let answer): answer
    case .stream: nil
    }
  }

  fileprivate var waits: Bool { if case .waiting = self { true } else { false } }
}

@Suite struct ShapeTests {
  private let store: Store
  private let cars: FetchedObjectsModel<Car>

  init() throws {
    store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      try draft.insert(ann)
      for id in 1...5 {
        try draft.insert(Car(id: id, model: "Volvo", year: 2000 + id, owner: Ref(1)))
      }
    }
    cars = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.owner.name.ascending, $0.year.ascending] }, in: store)
  }

  /// A client that has everything.
  private func client(of shape: ShapeFeed) throws -> ShapeClient {
    var client = ShapeClient()
    while let answer = shape.reply(to: client.parameters).answer, try client.take(answer) {}
    return client
  }

  @Test func `W1: rows of a version that isn't held any more lead to no further part`() throws {
    let shape = ShapeFeed(of: cars, keeping: 2, partLimit: 2)
    var (slow, quick) = (ShapeClient(), try client(of: shape))
    #expect(try slow.take(#require(shape.reply(to: slow.parameters).answer)))
    for year in 1...4 {
      try store.commit { try $0.update(Car.self, 1) { $0.year = year } }
      _ = try quick.take(#require(shape.reply(to: quick.parameters).answer))
    }
    #expect(shape.reply(to: slow.parameters).answer?.status == 409)
    #expect(quick.isUpToDate && quick.rows.count == 5)
  }

  @Test func `W1: an answer has the form of the protocol`() throws {
    let shape = ShapeFeed(of: cars, identity: 7, partLimit: 2)
    let first = try #require(shape.reply(to: ["offset": "-1"]).answer)
    #expect(
      text(first) == """
        [{"key":"1","value":{"id":1,"model":"Volvo","year":2001,"owner":1,"owner.name":"Ann"},\
        "headers":{"operation":"insert","txids":[1]}},\
        {"key":"2","value":{"id":2,"model":"Volvo","year":2002,"owner":1,"owner.name":"Ann"},\
        "headers":{"operation":"insert","txids":[1]}}]
        """)
    #expect(first["electric-offset"]?.hasSuffix("_2") == true)
    #expect(first["electric-up-to-date"] == nil)
    var client = try client(of: shape)
    #expect(client.rows.count == 5)
    try store.commit { draft in
      try draft.update(Car.self, 2) { $0.year = 1990 }
      try draft.delete(Car.self, 3)
      try draft.insert(Car(id: 9, model: "\"</script>", year: 1, owner: nil))
    }
    let next = try #require(shape.reply(to: client.parameters).answer)
    let place = try #require(next["electric-offset"]).dropLast(2)
    #expect(
      text(next) == """
        [{"key":"2","value":{"id":2,"year":1990},"headers":{"operation":"update","txids":[2]}},\
        {"key":"3","value":{"id":3},"headers":{"operation":"delete","txids":[2]}},\
        {"key":"9","value":{"id":9,"model":"\\"</script>","year":1,"owner":null,"owner.name":null},\
        "headers":{"operation":"insert","txids":[2]}},\
        {"headers":{"control":"snapshot-end","xmin":"3","xmax":"3","xip_list":[]}},\
        {"headers":{"control":"up-to-date","global_last_seen_lsn":"\(place)"}}]
        """)
    #expect(next["content-type"] == "application/json")
    #expect(try !client.take(next))
  }

  @Test func `W1: a batch confirms its version, and those whose net change is nothing`() throws {
    let shape = ShapeFeed(of: cars)
    var client = try client(of: shape)
    #expect(client.confirmed == 1, "the first rows confirm what they contain")
    for year in [1990, 2001] { try store.commit { try $0.update(Car.self, 1) { $0.year = year } } }
    let quiet = shape.reply(to: client.parameters)
    #expect(!quiet.waits, "somebody may wait for versions 2 and 3")
    _ = try client.take(try #require(quiet.answer))
    #expect(client.confirmed == 3 && client.updatedFields == 0)
    // A commit that touches none of the rows is no news, so an idle list stays idle.
    try store.commit { try $0.insert(Person(id: 7, name: "Zoe")) }
    #expect(shape.reply(to: client.parameters).waits)
    try store.commit { try $0.update(Car.self, 2) { $0.year = 1990 } }
    _ = try client.take(try #require(shape.reply(to: client.parameters).answer))
    #expect(client.confirmed == 5)
    #expect(client.transactions.contains(5))
    #expect(client.updatedFields == 1)
  }

  @Test func `W1: a stream has the headers of an answer, and confirms as it does`() throws {
    let shape = ShapeFeed(of: cars)
    var client = try client(of: shape)
    var parameters = client.parameters
    parameters["live_sse"] = "true"
    guard case .stream(let stream) = shape.reply(to: parameters) else {
      Issue.record("no stream")
      return
    }
    let headers = Dictionary(uniqueKeysWithValues: stream.headers.map { ($0.name, $0.value) })
    #expect(headers["electric-handle"] == client.handle)
    #expect(headers["electric-offset"] == client.offset)
    #expect(headers["electric-cursor"]?.isEmpty == false)
    #expect(try stream.next() == .nothing)
    for year in [1990, 2001] { try store.commit { try $0.update(Car.self, 1) { $0.year = year } } }
    guard case .bytes(let bytes) = try stream.next() else {
      Issue.record("no news")
      return
    }
    try client.take(events: bytes)
    #expect(client.confirmed == 3)
  }

  @Test func `W1: few rows and what came since are one answer`() throws {
    let shape = ShapeFeed(of: cars)
    _ = try client(of: shape)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1990 } }
    var late = ShapeClient()
    #expect(try !late.take(try #require(shape.reply(to: late.parameters).answer)))
    #expect(late.rows["1"]?["year"]?.description == "1990" && late.confirmed == 2)
  }

  @Test func `W1: rows of evicted versions are dropped while clients only follow`() throws {
    let shape = ShapeFeed(of: cars, keeping: 2)
    var parameters = try client(of: shape).parameters
    parameters["live_sse"] = "true"
    guard case .stream(let stream) = shape.reply(to: parameters) else {
      Issue.record("no stream")
      return
    }
    #expect(shape.snapshotCount == 1)
    for year in 1...4 {
      try store.commit { try $0.update(Car.self, 1) { $0.year = year } }
      guard case .bytes = try stream.next() else {
        Issue.record("no news")
        return
      }
    }
    #expect(shape.snapshotCount == 0)
  }

  @Test func `W1: a row's own value in the place of its id comes with each message`() throws {
    let least = 1 << 53
    let large = (0...1).map { Car(id: least + $0, model: "a", year: 1) }
    try store.commit { try $0.insert(contentsOf: large) }
    let shape = ShapeFeed(of: cars) { car in
      FeedValues(["id": .text("\(car.id)"), "year": car.year.storedValue])
    }
    var client = try client(of: shape)
    #expect(client.rows.count == 7)
    #expect(client.rows.allSatisfy { key, row in row["id"]?.description == key })
    let cursor = try #require(shape.reply(to: client.parameters).answer)
    #expect(text(cursor).contains("up-to-date"))
    try store.commit { draft in
      try draft.delete(Car.self, least + 1)
      try draft.update(Car.self, least) { $0.year = 1990 }
    }
    let news = try #require(shape.reply(to: client.parameters).answer)
    for id in [least, least + 1] { #expect(text(news).contains(#""id":"\#(id)""#)) }
    _ = try client.take(news)
    #expect(client.rows.count == 6)
    #expect(client.rows["\(least)"]?["year"]?.description == "1990")
  }

  @Test func `W1: a live request waits, and is answered when something is new`() async throws {
    let shape = ShapeFeed(of: cars)
    var client = try client(of: shape)
    #expect(shape.reply(to: client.parameters).waits)
    let early = await shape.answer(to: client.parameters, waiting: .milliseconds(20))
    #expect(try !client.take(early))
    let parameters = client.parameters
    async let answer = shape.answer(to: parameters, waiting: .seconds(1000))
    while cars.subscriptionCount == 0 { await Task.yield() }
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1990 } }
    #expect(try await !client.take(answer))
    #expect(client.rows["1"]?["year"]?.description == "1990")
  }

  @Test func `W1: what changes a shape and not the list wakes those that wait`() throws {
    let shape = ShapeFeed(of: cars)
    let client = try client(of: shape)
    #expect(shape.reply(to: client.parameters).waits)
    let news = Recorder(shape.didChange)
    let events = Recorder(cars.didChange)
    try cars.setQuery(Query<Car>().sorted { [$0.owner.age.ascending] })
    #expect(!shape.reply(to: client.parameters).waits)
    #expect(events.values.isEmpty)
    #expect(news.values.count == 1)
  }

  @Test @MainActor
  func `W1: merged commits that lead back wake a client that waits for one of them`() async throws {
    let model = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    let shape = ShapeFeed(of: model)
    let client = try client(of: shape)
    let news = Recorder(shape.didChange)
    let store = store
    TestThread {
      for model in ["Fiat", "Volvo"] {
        try? store.commit { try $0.update(Car.self, 1) { $0.model = model } }
      }
    }.join()
    await store.flush()
    #expect(!shape.reply(to: client.parameters).waits)
    #expect(news.values.count == 1)
  }

  @Test func `W1: a commit that ends an error wakes a client, also if it leads back`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>().sorted { [$0.owner.name.ascending] }, in: store)
    let shape = ShapeFeed(of: cars)
    let client = try client(of: shape)
    let news = Recorder(shape.didChange)
    let model = try #require(try store.find(Car.self, 1)).model
    storage.isFailing.store(1)
    try store.commit { try $0.update(Car.self, 1) { $0.model = "Fiat" } }
    #expect(cars.error != nil && news.values.isEmpty)
    storage.isFailing.store(0)
    try store.commit { try $0.update(Car.self, 1) { $0.model = model } }
    #expect(!shape.reply(to: client.parameters).waits)
    #expect(news.values.count == 1)
  }

  @Test func `W1: an idle list wakes nobody, whatever else is committed`() throws {
    let shape = ShapeFeed(of: try FetchedObjectsModel(Query<Car>().limit(2), in: store))
    // Two models share the rows near their windows, and this commit concerns only the other one.
    let wider = try FetchedObjectsModel(Query<Car>().limit(4), in: store)
    let news = Recorder(shape.didChange)
    let events = Recorder(wider.didChange)
    try store.commit { try $0.update(Car.self, 4) { $0.model = "Fiat" } }
    #expect(events.values.count == 1)
    #expect(news.values.isEmpty)
  }

  @Test func `W1: a live request ends with its task`() async throws {
    let shape = ShapeFeed(of: cars)
    let parameters = try client(of: shape).parameters
    let waiting = Task { await shape.answer(to: parameters, waiting: .seconds(1000)) }
    while cars.subscriptionCount == 0 { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value["electric-up-to-date"] == "true")
  }

  @Test func `W3: rows are made once for a thousand clients at the same place`() throws {
    let rows = AtomicWord(0)
    let shape = ShapeFeed(of: cars, partLimit: 2) { car in
      rows.add(1)
      return FeedValues(["year": .integer(Int64(car.year))])
    }
    var clients = try (0..<1000).map { _ in try client(of: shape) }
    #expect(rows.load() == 5)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1990 } }
    for index in clients.indices {
      _ = try clients[index].take(try #require(shape.reply(to: clients[index].parameters).answer))
    }
    #expect(rows.load() == 7, "the old row and the new one")
  }

  @Test func `W1: the first rows stay while clients are receiving them`() throws {
    let shape = ShapeFeed(of: cars, keeping: 10, partLimit: 1)
    var slow = ShapeClient()
    _ = try slow.take(try #require(shape.reply(to: slow.parameters).answer))
    for year in 0..<5 {
      try store.commit { try $0.update(Car.self, 1) { $0.year = 1900 + year } }
      _ = try client(of: shape)
      let answer = try #require(shape.reply(to: slow.parameters).answer)
      #expect(answer.status == 200)
      _ = try slow.take(answer)
    }
    #expect(slow.rows.count == 5)
    _ = try slow.take(try #require(shape.reply(to: slow.parameters).answer))
    #expect(slow.rows["1"]?["year"]?.description == "1904")
  }

  @Test func `W1: a client that has the shown rows continues after a restart`() throws {
    let cars = try FetchedObjectsModel(Query<Car>().sorted { [$0.year.ascending] }, in: store)
    var client = try client(of: ShapeFeed(of: cars, identity: 7))
    let handle = client.handle
    let again = ShapeFeed(of: cars, identity: 7)
    #expect(shape(again, takes: &client))
    #expect(client.handle == handle)
    // A feed with another identity is another shape.
    #expect(!shape(ShapeFeed(of: cars, identity: 8), takes: &client))
    #expect(client.rows.isEmpty)
  }

  @Test func `W1: so does one whose rows are sorted by a value that is computed of their own`()
    throws
  {
    let query = Query<Car>().sorted { [$0.model.lowercased.ascending] }
    let (before, after) = try openTwice()
    let model = try FetchedObjectsModel(query, in: before)
    var client = try client(of: ShapeFeed(of: model, identity: 7))
    // The list is the same at the next version.
    try before.commit { try $0.insert(Person(id: 7, name: "Zoe")) }
    let again = ShapeFeed(of: try FetchedObjectsModel(query, in: after), identity: 7)
    #expect(shape(again, takes: &client))
    #expect(client.rows.count == 4)
  }

  @Test func `W1: rows without a section and those in the section of nil are different`() throws {
    try store.commit { draft in
      for id in 1...5 { try draft.update(Car.self, id) { $0.owner = nil } }
    }
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let shape = ShapeFeed(of: cars)
    var client = try client(of: shape)
    try cars.setQuery(Query<Car>().sectioned { $0.owner.name })
    _ = try client.take(try #require(shape.reply(to: client.parameters).answer))
    #expect(client.rows.count == 5)
    #expect(client.rows.values.allSatisfy { $0["$sectionTitle"] as? String == "" })
  }

  private func shape(_ shape: ShapeFeed, takes client: inout ShapeClient) -> Bool {
    guard let answer = shape.reply(to: client.parameters).answer else { return false }
    return (try? client.take(answer)) != nil && answer.status == 200
  }

  @Test func `W1: a value that rows are sorted by and don't include is kept up to date`() throws {
    let shape = ShapeFeed(of: cars, identity: 7)
    var client = try client(of: shape)
    var stranger = client
    // The order stays, and so does everything that a check sum covers.
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Anne" } }
    _ = try client.take(try #require(shape.reply(to: client.parameters).answer))
    #expect(client.rows.values.allSatisfy { $0["owner.name"] as? String == "Anne" })
    // Another query with the same rows has other fields.
    try cars.setQuery(Query<Car>().sorted { [$0.owner.age.ascending] })
    _ = try client.take(try #require(shape.reply(to: client.parameters).answer))
    #expect(client.rows["1"]?["owner.age"]?.description == "30")
    // A check sum alone doesn't say what such a client has.
    #expect(!self.shape(ShapeFeed(of: cars, identity: 7), takes: &stranger))
  }

  @Test func `W1: "now" begins without the rows`() throws {
    let shape = ShapeFeed(of: cars)
    let answer = try #require(shape.reply(to: ["offset": "now"]).answer)
    #expect(text(answer).hasPrefix("[{\"headers\":{\"control\":\"snapshot-end\""))
    #expect(answer["electric-up-to-date"] == "true")
  }

  @Test func `W3: pages of other servers may read an answer if the server says so`() throws {
    let closed = try #require(ShapeFeed(of: cars).reply(to: ["offset": "-1"]).answer)
    #expect(closed["access-control-allow-origin"] == nil)
    #expect(ShapeFeed(of: cars).preflight.status == 405)
    let open = ShapeFeed(of: cars, allowingOrigin: "https://example.org")
    #expect(open.preflight.status == 204)
    #expect(open.preflight["access-control-allow-headers"]?.contains("authorization") == true)
    for parameters in [["offset": "-1"], ["offset": "x"], ["offset": "1_0", "handle": "x"]] {
      let answer = try #require(open.reply(to: parameters).answer)
      #expect(answer["access-control-allow-origin"] == "https://example.org")
      #expect(answer["access-control-expose-headers"]?.contains("electric-handle") == true)
    }
  }
}

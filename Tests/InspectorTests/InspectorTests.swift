import FetchedObjects
import Fixtures
import Foundation
import Inspector
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing
import WebFeeds

@testable import EntityStore

/// An object of whole numbers, two of which are its id.
private struct Seat: Entity {
  struct ID: CompositeID {
    var train: Int
    var number: Int
  }

  let id: ID
  var price: Int
  static let attributes = Attributes(
    .id(\Seat.id, ID.init, .part("train", \.train), .part("number", \.number)),
    .attribute("price", \.price))
  static let schema = Schema(attributes, Seat.init)
}

@Suite struct InspectorTests {
  private let store: Store
  private let inspector: Inspector

  init() throws {
    store = try TestStorage.memory.makeGarage()
    inspector = try #require(Inspector(store, keeping: 5, inRelease: true))
  }

  private func json(_ answer: WebAnswer?) throws -> [String: Any] {
    let answer = try #require(answer)
    #expect(answer.status == 200)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
  }

  @Test func `A pause during a commit doesn't take its times`() throws {
    let token = store.commits.subscribe { [inspector] _ in inspector.isPaused = true }
    try store.commit { try $0.insert(ann) }
    #expect(inspector.commits().first?.steps.isEmpty == false)
    withExtendedLifetime(token) {}
  }

  @Test
  func `A commit is recorded with its name, its steps, and its objects before and after`() throws {
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    try store.commit(named: "buy") { draft in
      try draft.insert(ann)
      try draft.insert(Car(id: 1, model: "Volvo", year: 2001, owner: Ref(1)))
    }
    try store.commit { try $0.update(Car.self, 1) { $0.year = 2002 } }
    let commits = inspector.commits()
    #expect(commits.map(\.version) == [1, 2])
    #expect(commits.map(\.name) == ["buy", nil])
    #expect(commits.map(\.changeCount) == [2, 1])
    #expect(commits.allSatisfy { !$0.isExternal && $0.error == nil })
    let names = commits[0].steps.map(\.name)
    #expect(names.contains("body") && names.contains("sealing"))
    #expect(names == names.sorted { order($0) < order($1) })
    let change = try #require(commits[1].changes.first)
    #expect(change.object == ObjectID(entityName: "Car", id: .integer(1)))
    #expect(change.before?.first { $0.attribute == "year" }?.value == .integer(2001))
    #expect(change.after?.first { $0.attribute == "year" }?.value == .integer(2002))
    #expect(commits[0].changes.first { $0.object.entityName == "Car" }?.before == nil)
    #expect(inspector.commits(after: 1).map(\.number) == [2])
    withExtendedLifetime(cars) {}
  }

  private func order(_ step: String) -> Int {
    [
      "waiting", "merging", "body", "rules", "storing", "preparing", "sealing", "installing",
      "syncing", "delivering",
    ].firstIndex(of: step) ?? -1
  }

  @Test
  func `A commit that fails is recorded with its error, and one without changes with its time`()
    throws
  {
    #expect(throws: StoreError.self) {
      try store.commit(named: "wrong") { try $0.update(Car.self, 7) { $0.year = 1 } }
    }
    try store.commit { _ in }
    let commits = inspector.commits()
    #expect(commits.map(\.name) == ["wrong", nil])
    #expect(commits.allSatisfy { $0.version == nil && $0.changeCount == 0 })
    #expect(commits[1].error == nil && !commits[1].steps.isEmpty)
    #expect(commits[0].error?.contains("Car") == true)
  }

  @Test func `The time of a commit that fails is that of the step that fails`() throws {
    struct Wrong: Error {}
    var spent = Duration.zero
    #expect(throws: Wrong.self) {
      try store.commit { _ in
        let start = ContinuousClock.now
        while spent < .milliseconds(2) { spent = ContinuousClock.now - start }
        throw Wrong()
      }
    }
    #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(Car(id: 1, model: "A", year: 1, owner: Ref(9))) }
    }
    let commits = inspector.commits()
    #expect(commits[0].steps.last?.name == "body")
    #expect(commits[0].steps.last.map { $0.duration >= spent } == true)
    #expect(commits[1].steps.last?.name == "rules")
  }

  @Test func `A commit costs the lists that it concerns, and no others`() throws {
    let old = try FetchedObjectsModel(Query<Car>().filter { $0.year < 1990 }, in: store)
    let new = try FetchedObjectsModel(Query<Car>().filter { $0.year > 2000 }, in: store)
    let people = try FetchedObjectsModel(Query<Person>(), in: store)
    // The reading of the lists is no cost of a commit.
    try store.commit { try $0.insert(Car(id: 9, model: "A", year: 1995, owner: nil)) }
    try store.commit { try $0.insert(Car(id: 1, model: "A", year: 2001, owner: nil)) }
    let costs = try #require(inspector.commits().last).costs
    #expect(costs.count == 1)
    #expect(inspector.lists.first { $0.id == costs.first?.list }?.query.contains("2000") == true)
    #expect(costs.first.map { $0.candidates == 1 && $0.changes == 1 && $0.fetches == 0 } == true)
    #expect(inspector.lists.contains { $0.id == costs.first?.list && $0.rowCount == 1 })
    withExtendedLifetime((old, new, people)) {}
  }

  @Test func `A commit of another store on the same file is external`() throws {
    let path = temporaryPath("inspected")
    func open() throws -> Store {
      try Store(
        .sqlite(path: path, durability: .normal, watching: .none),
        entities: [Person.self, Car.self])
    }
    let (here, there) = (try open(), try open())
    let inspector = try #require(Inspector(here, inRelease: true))
    try there.commit(named: "elsewhere") { try $0.insert(ann) }
    try here.commit { try $0.insert(bob) }
    #expect(inspector.commits().map(\.isExternal) == [true, false])
    #expect(inspector.commits()[0].steps.isEmpty)
    #expect(inspector.commits()[0].changes.map(\.object.description) == ["Person(1)"])
  }

  @Test func `The time for which other writers were waited for is a step`() throws {
    let hasBegun = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    let first = TestThread { [store] in
      try? store.commit(named: "first") { draft in
        hasBegun.signal()
        mayEnd.wait()
        try draft.insert(ann)
      }
    }
    hasBegun.wait()
    let second = TestThread { [store] in
      try? store.commit(named: "second") { try $0.insert(bob) }
    }
    expectTrue(becomesTrueBlocking { store.writer.waiterCount == 1 })
    let queued = ContinuousClock.now
    var spent = Duration.zero
    while spent < .milliseconds(2) { spent = ContinuousClock.now - queued }
    mayEnd.signal()
    first.join()
    second.join()
    let commit = try #require(inspector.commits().first { $0.name == "second" })
    let waited = commit.steps.first { $0.name == "waiting" }?.duration ?? .zero
    #expect(waited >= spent)
  }

  @Test func `The last commits are kept, and an object's changes among them`() throws {
    try store.commit { try $0.insert(Car(id: 1, model: "Volvo", year: 0, owner: nil)) }
    for year in 1...8 {
      try store.commit { draft in
        try draft.update(Car.self, 1) { $0.year = year }
        try draft.upsert(Car(id: 2, model: "A", year: year, owner: nil))
      }
    }
    #expect(inspector.commits().map(\.number) == [5, 6, 7, 8, 9])
    let history = inspector.history(of: ObjectID(entityName: "Car", id: .integer(1)))
    #expect(history.map(\.version) == [5, 6, 7, 8, 9])
    #expect(
      history.map { $0.after?.first { $0.attribute == "year" }?.value }
        == (4...8).map { .integer($0) })
    #expect(inspector.history(of: ObjectID(entityName: "Car", id: .integer(3))).isEmpty)
  }

  @Test func `An object's change is found among many of one commit`() throws {
    let store = try Store(.inMemory, entities: [Person.self, Car.self, Place.self])
    let inspector = try #require(Inspector(store, inRelease: true))
    try store.commit { draft in
      for number in 1...1_000 { try draft.insert(Place(id: "p\(number)", visits: number)) }
    }
    try store.commit { draft in
      for id in (1...1_000).reversed() {
        try draft.insert(Car(id: id, model: "m", year: id, owner: nil))
      }
    }
    for number in [1, 2, 500, 1_000] {
      let place = inspector.history(of: ObjectID(Place.self, "p\(number)"))
      #expect(place.map(\.version) == [1] && place.first?.before == nil)
      #expect(place.first?.after?.last?.value == .integer(Int64(number)))
      let car = inspector.history(of: ObjectID(Car.self, number))
      #expect(car.map(\.version) == [2] && car.first?.object == ObjectID(Car.self, number))
    }
    for stranger in [ObjectID(Place.self, "p0"), ObjectID(Car.self, 0), ObjectID(Person.self, 1)] {
      #expect(inspector.history(of: stranger).isEmpty)
    }
  }

  @Test func `While it is paused, commits are counted and not kept`() throws {
    try store.commit { try $0.insert(ann) }
    inspector.isPaused = true
    try store.commit { try $0.insert(bob) }
    #expect(inspector.commits().count == 1 && inspector.missedCommitCount == 1)
    inspector.isPaused = false
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Anna" } }
    #expect(inspector.commits().map(\.version) == [1, 3])
  }

  @Test func `While it is paused, commits that fail and those without changes are counted, too`()
    throws
  {
    inspector.isPaused = true
    #expect(throws: StoreError.self) {
      try store.commit { try $0.update(Car.self, 7) { $0.year = 1 } }
    }
    #expect(inspector.missedCommitCount == 1)
    try store.commit { _ in }
    try store.commit { try $0.insert(ann) }
    #expect(inspector.missedCommitCount == 3 && inspector.commits().isEmpty)
  }

  @Test func `A model is listed with its window and its subscriptions`() throws {
    for id in 1...9 {
      try store.commit { try $0.insert(Car(id: id, model: "A", year: id, owner: nil)) }
    }
    let cars = try FetchedObjectsModel(Query<Car>().sorted { [$0.year.ascending] }, in: store)
    try cars.setWindow(offset: 2, limit: 3)
    let token = cars.didChange.subscribe { _ in }
    let list = try #require(inspector.lists.first { !$0.models.isEmpty })
    let model = try #require(list.models.first)
    #expect(model.positions == 2..<5 && model.totalCount == 9 && model.subscriptionCount == 1)
    #expect(model.waitingCount == 0 && model.error == nil)
    for (id, isShown) in [(2, false), (3, true), (5, true), (6, false)] {
      let name = ObjectID(entityName: "Car", id: .integer(Int64(id)))
      let reasons = try #require(try inspector.reasons(for: name, inList: list.id))
      #expect(reasons.belongs && reasons.isShown == isShown, "car \(id)")
    }
    let plan = try #require(try inspector.plan(ofList: list.id))
    #expect(plan.contains("year"))
    #expect(try inspector.plan(ofList: "another") == nil)
    token.cancel()
  }

  @Test func `Without an inspector, nothing is measured and nothing is kept`() throws {
    weak var released: Inspector?
    let store = try TestStorage.memory.makeGarage()
    #expect(!store.timesRelay.hasSubscribers && !store.commitRelay.hasSubscribers)
    do {
      let inspector = try #require(Inspector(store, inRelease: true))
      released = inspector
      try store.commit { try $0.insert(ann) }
      #expect(store.timesRelay.hasSubscribers && store.commitRelay.hasSubscribers)
    }
    #expect(released == nil)
    #expect(!store.timesRelay.hasSubscribers && !store.commitRelay.hasSubscribers)
  }

  #if DEBUG
  @Test func `In a debug build it needn't be asked for`() {
    #expect(Inspector(store) != nil)
  }
  #else
  @Test func `In a release build it has to be asked for`() {
    #expect(Inspector(store) == nil)
  }
  #endif

  // MARK: The page

  @Test func `Whole numbers that a browser would round are sent as texts`() throws {
    let store = try Store(.inMemory, entities: [Seat.self])
    let inspector = try #require(Inspector(store, inRelease: true))
    let id = Seat.ID(train: 9_007_199_254_740_993, number: 2)
    try store.commit { try $0.insert(Seat(id: id, price: 9_007_199_254_740_992)) }
    try store.commit { try $0.update(Seat.self, id) { $0.price = -9_007_199_254_740_993 } }
    let answer = try #require(inspector.answer("GET", "state"))
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(text.contains(#""id":[{"integer":"9007199254740993"},2]"#), "\(text)")
    #expect(text.contains(#""price":9007199254740992"#), "\(text)")
    #expect(text.contains(#""price":{"integer":"-9007199254740993"}"#), "\(text)")
  }

  @Test func `The page and its answers are there, and nothing else is`() throws {
    let name = "<script>\"\u{0}\u{202E}"
    let cars = try FetchedObjectsModel(Query<Car>().filter { $0.model == name }, in: store)
    try store.commit(named: name) { try $0.insert(Car(id: 1, model: name, year: 1, owner: nil)) }
    let scripts = [
      "inspector", "commits", "details", "history", "lists", "news", "page", "timeline",
    ]
    for file in ["", "inspector.css"] + scripts.map({ "\($0).js" }) {
      #expect(inspector.answer("GET", file)?.status == 200)
    }
    let state = try json(inspector.answer("GET", "state"))
    let commits = try #require(state["commits"] as? [[String: Any]])
    #expect(commits.first?["name"] as? String == name)
    let lists = try #require(state["lists"] as? [[String: Any]])
    let id = try #require(lists.first?["id"] as? String)
    let later = try json(inspector.answer("GET", "state", ["after": "1"]))
    #expect((later["commits"] as? [Any])?.isEmpty == true)
    let history = try json(inspector.answer("GET", "history", ["object": "Car(1)"]))
    #expect((history["changes"] as? [Any])?.count == 1)
    let reasons = try json(inspector.answer("GET", "reasons", ["object": "Car(1)", "list": id]))
    #expect(reasons["belongs"] as? Bool == true)
    #expect(try json(inspector.answer("GET", "plan", ["list": id]))["plan"] is String)
    #expect(try json(inspector.answer("POST", "pause", ["on": "true"]))["paused"] as? Bool == true)
    #expect(inspector.isPaused)
    // What a page of another site can make a browser ask changes nothing.
    #expect(inspector.answer("GET", "pause", ["on": "false"])?.status == 405)
    #expect(inspector.isPaused)
    #expect(inspector.answer("POST", "state")?.status == 405)
    let stranger = inspector.answer("GET", "reasons", ["object": "Person(1)", "list": id])
    #expect(
      stranger.map { String(decoding: $0.body, as: UTF8.self).contains("objects of Car") } == true)
    #expect(inspector.answer("GET", "history", ["object": "Car(1"])?.status == 400)
    #expect(inspector.answer("GET", "reasons", ["object": "Car(1)", "list": "x"])?.status == 404)
    #expect(inspector.answer("GET", "plan")?.status == 404)
    #expect(inspector.answer("POST", "pause", ["on": "maybe"])?.status == 400)
    #expect(inspector.answer("GET", "../secret") == nil)
    withExtendedLifetime(cars) {}
  }
}

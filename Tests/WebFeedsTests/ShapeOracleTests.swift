import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import ListFixtures
import SQLitePersistence
import TestSupport
import Testing
import WebFeeds

/// What the rows of each query are sorted by within their section.
private let sortNames = [
  "flat by model": ["model"], "filtered, by year down": ["year"],
  "by owner's name": ["owner.name", "model"], "by owner, ordered by name": ["model"],
  "by owner, titled by name": ["year"], "owners of two cars": ["owner.name", "year"],
]

/// A server with a shape, which can be killed and started again, and clients that come and go.
private struct ShapeWorld {
  let path: String?
  let trace: String
  let tally: Tally
  var writer: RandomWriter
  var store: Store
  var oracle: OracleQuery
  var model: FetchedObjectsModel<Car>
  var shape: ShapeFeed
  let limit: Int
  let partLimit: Int
  let isCustom: Bool
  let identity: UInt64?
  var clients = (0..<5).map { _ in ShapeClient() }
  var streams: [EventStream?] = Array(repeating: nil, count: 5)

  init(_ storage: TestStorage, seed: Int, _ tally: Tally) throws {
    self.tally = tally
    trace = "seed \(seed), \(storage)"
    writer = RandomWriter(random: SeededGenerator(seed: seed))
    path = storage == .file ? temporaryPath("shape") : nil
    store = try Self.open(path)
    for _ in 0..<3 { try writer.commit(store) }
    oracle = OracleQuery.all[Int.random(in: 0..<OracleQuery.all.count, using: &writer.random)]
    limit = Int.random(in: 1...6, using: &writer.random)
    partLimit = Int.random(in: 1...4, using: &writer.random)
    isCustom = seed % 3 == 1
    identity = seed % 4 < 2 ? nil : UInt64(seed)
    model = try FetchedObjectsModel(oracle.query, in: store)
    shape = Self.shape(of: model, limit, identity, partLimit, isCustom)
  }

  static func open(_ path: String?) throws -> Store {
    try Store(
      path.map { .sqlite(path: $0, durability: .normal) } ?? .inMemory,
      entities: [Person.self, Car.self])
  }

  static func shape(
    of model: FetchedObjectsModel<Car>, _ limit: Int, _ identity: UInt64?, _ partLimit: Int,
    _ isCustom: Bool
  ) -> ShapeFeed {
    let name: @Sendable (EntityView<Car>) -> FeedValues = { FeedValues(["name": .text($0.model)]) }
    return ShapeFeed(
      of: model, keeping: limit, identity: identity ?? .random(in: .min ... .max),
      partLimit: partLimit, row: isCustom ? name : nil)
  }

  mutating func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &writer.random) }

  mutating func step(_ number: Int) throws {
    switch random(0..<24) {
    case 0:
      tally.count("new windows")
      try model.setWindow(offset: random(0..<3), limit: random(0..<5))
    case 1: try model.setWindow(offset: 0, limit: nil)
    case 2:
      tally.count("new queries")
      oracle = OracleQuery.all[random(0..<OracleQuery.all.count)]
      try model.setQuery(oracle.query)
    case 3:
      tally.count(path == nil ? "new feeds" : "reopened files")
      if path != nil { store = try Self.open(path) }
      model = try FetchedObjectsModel(oracle.query, in: store)
      shape = Self.shape(of: model, limit, identity, partLimit, isCustom)
      streams = streams.map { _ in nil }
    case 4, 5: tally.count("idle steps")
    default: try writer.commit(store)
    }
    for index in clients.indices where random(0..<3) == 0 {
      try live(index, "\(trace), step \(number), client \(index)")
    }
    #expect(shape.heldVersionCount <= limit, "\(trace): more versions are held than may be")
  }

  private mutating func live(_ index: Int, _ trace: String) throws {
    var client = clients[index]
    defer { clients[index] = client }
    switch random(0..<8) {
    case 0:
      // Reloaded: it has nothing, and knows nobody.
      tally.count("reloads")
      client = ShapeClient()
      streams[index] = nil
    case 1:
      // The connection breaks before the answer has come, at whatever part.
      tally.count("lost answers")
      _ = shape.reply(to: client.parameters)
      return
    case 2:
      // It is killed between two parts.
      tally.count("stops between parts")
      streams[index] = nil
      if case .answer(let answer) = shape.reply(to: client.parameters) {
        let had = client.handle
        _ = try client.take(answer)
        if answer.status == 409 { tally.count(had == nil ? "409 without a handle" : "409") }
      }
      return
    default: break
    }
    if streams[index] != nil || random(0..<2) == 0, client.isUpToDate {
      if try stream(&client, index, trace) { return }
    }
    streams[index] = nil
    var requests = 0
    while true {
      requests += 1
      guard requests < 100 else { throw ShapeClient.Failure.brokenRule("no end") }
      switch shape.reply(to: client.parameters) {
      case .answer(let answer):
        if answer.status == 409 { tally.count("409") }
        if try client.take(answer) { continue }
        tally.count("batches")
      case .waiting(let orElse):
        tally.count("waits")
        _ = try client.take(orElse)
      case .stream: throw ShapeClient.Failure.brokenRule("a stream that nobody asked for")
      }
      break
    }
    try check(client, trace)
  }

  /// Follows by events; returns false if the stream ends, and the client asks again.
  private mutating func stream(
    _ client: inout ShapeClient, _ index: Int, _ trace: String
  ) throws -> Bool {
    if streams[index] == nil {
      var parameters = client.parameters
      parameters["live_sse"] = "true"
      guard case .stream(let stream) = shape.reply(to: parameters) else { return false }
      streams[index] = stream
    }
    switch try streams[index]?.next() {
    case .bytes(let bytes):
      tally.count("events")
      try client.take(events: bytes)
      #expect(try streams[index]?.next() == .nothing, "\(trace)")
    case .nothing: tally.count("quiet streams")
    case .end, nil:
      tally.count("ended streams")
      return false
    }
    try check(client, trace)
    return true
  }

  /// The client has the rows that the model shows.
  private func check(_ client: ShapeClient, _ trace: String) throws {
    var expected: [String: [String: NSObject]] = [:]
    for section in model.sections {
      for car in section { expected["\(car.value.id)"] = try row(car) }
    }
    // Another query may have fewer fields. A client can't be told to forget one, so it has null.
    func known(_ rows: [String: [String: NSObject]]) -> [String: [String: NSObject]] {
      rows.mapValues { row in row.filter { $0.value != NSNull() } }
    }
    let same = known(client.rows) == known(expected)
    #expect(same, "\(trace): \(client.rows), and not \(expected)")
  }

  private func row(_ car: EntityView<Car>) throws -> [String: NSObject] {
    func json(_ value: StoredValue) throws -> NSObject {
      switch value {
      case .null: NSNull()
      case .integer(let number): NSNumber(value: number)
      case .text(let text): NSString(string: text)
      default: throw ShapeClient.Failure.brokenRule("a value of another kind")
      }
    }
    let owner = try car.value.owner.flatMap { try store.find(Person.self, $0.id) }
    var row: [String: NSObject] = ["id": try json(.integer(Int64(car.value.id)))]
    if isCustom {
      row["name"] = try json(.text(car.value.model))
    } else {
      row["model"] = try json(.text(car.value.model))
      row["year"] = try json(.integer(Int64(car.value.year)))
      row["owner"] = try json(car.value.owner.map { .integer(Int64($0.id)) } ?? .null)
      if oracle.includesOwner {
        row["owner.name"] = try json(owner.map { .text($0.name) } ?? .null)
      }
    }
    for name in sortNames[oracle.name] ?? [] {
      switch name {
      case "model": row[name] = try json(.text(car.value.model))
      case "year": row[name] = try json(.integer(Int64(car.value.year)))
      default: row[name] = try json(owner.map { .text($0.name) } ?? .null)
      }
    }
    if oracle.isSectioned {
      row["$section"] = try json(oracle.section(car.value, owner))
      row["$sectionTitle"] = try json(.text(owner?.name ?? ""))
    }
    return row
  }

  mutating func end() throws {
    for index in clients.indices { try live(index, "\(trace), client \(index), at the end") }
  }
}

@Suite(.oneThread) struct ShapeOracleTests {
  @Test func `W1: a client that is killed and resumed has the rows that the model shows`() throws {
    let tally = Tally([
      "new windows", "new queries", "new feeds", "reopened files", "idle steps", "reloads",
      "lost answers", "stops between parts", "409", "batches", "waits", "events", "quiet streams",
      "ended streams",
    ])
    for seed in seeds(240) {
      var world = try ShapeWorld(seed % 6 == 5 ? .file : .memory, seed: seed, tally)
      for step in 0..<40 { try world.step(step) }
      try world.end()
    }
    print("Shapes: \(tally.description)")
    tally.expectAll()
  }
}

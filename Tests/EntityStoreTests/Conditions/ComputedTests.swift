@_spi(Storage) @_spi(Inspection) import EntityStore
import Fixtures
import TestSupport
import Testing

private struct Order: Entity {
  let id: Int
  var price: Int?
  var pieces: Int32
  var weight: Double
  var note: String?
  var buyer: Ref<Buyer>?
  static let attributes = Attributes(
    .id(\Order.id), .attribute("price", \.price), .attribute("pieces", \.pieces),
    .attribute("weight", \.weight), .attribute("note", \.note),
    .one("buyer", \.buyer, inverse: \.orders))
  static let schema = Schema(attributes, Order.init)
}

private struct Buyer: Entity {
  let id: Int
  var name: String
  var discount: Int
  static let attributes = Attributes(
    .id(\Buyer.id), .attribute("name", \.name), .attribute("discount", \.discount))
  static let schema = Schema(attributes, Buyer.init)
}

extension Buyer { fileprivate var orders: Many<Buyer, Order> { Many(\.buyer) } }

private struct Coin: Entity {
  let id: Int
  var value: UInt64
  static let attributes = Attributes(.id(\Coin.id), .attribute("value", \.value))
  static let schema = Schema(attributes, Coin.init)
}

@Suite struct `S7: values that a query computes` {
  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore([Order.self, Buyer.self])
    try store.commit { draft in
      try draft.insert(Buyer(id: 1, name: "Élan", discount: 3))
      try draft.insert(
        contentsOf: [
          Order(id: 1, price: 10, pieces: 3, weight: 0.5, note: "éclair", buyer: Ref(1)),
          Order(id: 2, price: nil, pieces: 2, weight: -1, note: "", buyer: nil),
          Order(id: 3, price: .max, pieces: 2, weight: .infinity, note: nil, buyer: Ref(1)),
          Order(id: 4, price: .min, pieces: -1, weight: 0, note: "👩‍👩‍👧x", buyer: nil),
          Order(id: 5, price: -7, pieces: 2, weight: 1e308, note: "EC\(nul)d", buyer: nil),
        ])
    }
    return store
  }

  /// The values of a field of each order, by id.
  private func values<Value: Storable>(
    _ store: Store, _ field: @escaping (Row<Order, Order>) -> Field<Order, Value>
  ) throws -> [StoredValue] {
    var values: [StoredValue] = []
    // A query with a limit is in its order.
    try store.forEachValue(Query<Order>().limit(.max), field) { values.append($0) }
    return values
  }

  @Test(arguments: TestStorage.withServer)
  func `Whole numbers: what doesn't fit and a quotient by 0 are nil`(_ storage: TestStorage) throws
  {
    let store = try makeStore(storage)
    func numbers(
      _ field: @escaping (Row<Order, Order>) -> Field<Order, Int>
    ) throws -> [Int?] { try values(store, field).map { try Int?(storedValue: $0) } }
    #expect(try numbers { $0.price + 1 } == [11, nil, nil, .min + 1, -6])
    #expect(try numbers { 1 - $0.price } == [-9, nil, 2 - .max - 1, nil, 8])
    #expect(try numbers { $0.price * 2 } == [20, nil, nil, nil, -14])
    #expect(try numbers { $0.price / 2 } == [5, nil, .max / 2, .min / 2, -3])
    #expect(try numbers { $0.price / 0 } == [nil, nil, nil, nil, nil])
    #expect(try numbers { $0.price / -1 } == [-10, nil, -.max, nil, 7])
    #expect(try numbers { $0.pieces * $0.pieces - 1 } == [8, 3, 3, 0, 3])
    #expect(try numbers { $0.price - $0.buyer.discount } == [7, nil, .max - 3, nil, nil])
    #expect(try numbers { $0.price ?? 4 } == [10, 4, .max, .min, -7])
    #expect(try numbers { $0.price ?? $0.buyer.discount } == [10, nil, .max, .min, -7])
  }

  @Test(arguments: TestStorage.withServer)
  func `Numbers with a fraction: what isn't a number is nil`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    func numbers(
      _ field: @escaping (Row<Order, Order>) -> Field<Order, Double>
    ) throws -> [Double?] { try values(store, field).map { try Double?(storedValue: $0) } }
    #expect(try numbers { $0.weight * 2 } == [1, -2, .infinity, 0, .infinity])
    #expect(try numbers { 1 / $0.weight } == [2, -1, 0, nil, 1e-308])
    #expect(try numbers { $0.weight - $0.weight } == [0, 0, nil, 0, 0])
    #expect(try numbers { 1 + $0.weight } == [1.5, 0, .infinity, 1, 1e308])
    // A store has no -0.0.
    #expect(try values(store) { $0.weight * -1 }.map(\.description)[3] == "0.0")
    #expect(
      try numbers { $0.price.asDouble / 4 } == [2.5, nil, 0x1p61, -0x1p61, -1.75])
  }

  @Test(arguments: TestStorage.withServer)
  func `Text is cut by characters, and folded by Unicode`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    func texts(
      _ field: @escaping (Row<Order, Order>) -> Field<Order, String>
    ) throws -> [String?] { try values(store, field).map { try String?(storedValue: $0) } }
    #expect(try texts { $0.note.prefix(1) } == ["é", "", nil, "👩‍👩‍👧", "E"])
    #expect(try texts { $0.note.prefix(3).uppercased } == ["ÉCL", "", nil, "👩‍👩‍👧X", "EC\(nul)"])
    #expect(try texts { $0.note.lowercased } == ["éclair", "", nil, "👩‍👩‍👧x", "ec\(nul)d"])
    #expect(
      try texts { ($0.note ?? $0.buyer.name).prefix(2) } == ["éc", "", "Él", "👩‍👩‍👧x", "EC"])
    #expect(try texts { $0.note.prefix(0) } == ["", "", nil, "", ""])
    #expect(try texts { $0.note + "!" } == ["éclair!", "!", nil, "👩‍👩‍👧x!", "EC\(nul)d!"])
    #expect(try texts { "No. " + $0.id.asString } == (1...5).map { "No. \($0)" })
    #expect(
      try texts { $0.price.asString + "/" + $0.pieces.asString }
        == ["10/3", nil, "\(Int.max)/2", "\(Int.min)/-1", "-7/2"])
  }

  @Test(arguments: TestStorage.withServer)
  func `They are filters, orders, sections, sums and values of related objects`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let dear = Query<Order>().filter { $0.price * $0.pieces.asInt > 0 }
    #expect(try store.fetch(dear).map(\.id) == [1])
    let sorted = Query<Order>().sorted {
      [($0.price ?? 0).descending, $0.note.lowercased.ascending]
    }
    #expect(try store.fetch(sorted).map(\.id) == [3, 1, 2, 5, 4])
    #expect(try store.sum(of: Query<Order>().filter { $0.id != 3 }) { $0.pieces * 10 } == 60)
    let buyers = Query<Buyer>().filter { $0.orders.sum { $0.pieces.asInt * $0.id } == 9 }
    #expect(try store.fetch(buyers).map(\.id) == [1])
    let spread = Query<Buyer>().filter { $0.orders.count * 2 - 1 == 3 }
    #expect(try store.fetch(spread).map(\.id) == [1])
  }

  @Test func `A file computes numbers in SQL, and texts here`() throws {
    let store = try makeStore(.file)
    let numbers = Query<Order>()
      .filter { ($0.price ?? 0) * 2 + 1 > 3 && $0.weight / 2 < 9 && $0.id.asString + "." != "" }
      .sorted { [($0.price - $0.buyer.discount).ascending] }
    #expect(try numbers.plan(in: store).isWhollySaid)
    let texts = Query<Order>().filter { $0.note.prefix(1).uppercased == "E" }
    let plan = try texts.plan(in: store)
    #expect(plan.conditionsHere == [#"Order.note.prefix(1).uppercased == "E""#])
  }

  @Test func `A deep calculation is done here, and gives the same`() throws {
    let files = try makeStore(.file)
    let memory = try makeStore(.memory)
    for depth in [1, 3, 4, 5, 30, 200] {
      let query = Query<Order>().filter { order in
        (0..<depth).reduce(order.pieces + 0) { sum, _ in sum * 1 + order.pieces.asInt } > 40
      }
      #expect(try files.fetch(query).map(\.id) == memory.fetch(query).map(\.id), "\(depth)")
    }
  }

  @Test func `They are described as they are written`() {
    func text<Value>(_ field: (Row<Order, Order>) -> Field<Order, Value>) -> String {
      "\(field(Query<Order>.row).expression)"
    }
    #expect(text { ($0.price + 1) * 2 > 3 } == "((Order.price + 1) * 2) > 3")
    #expect(text { 1 - $0.price / 2 } == "1 - (Order.price / 2)")
    #expect(
      text { ($0.note ?? "x").prefix(2).lowercased == "ab" }
        == #"(Order.note ?? "x").prefix(2).lowercased == "ab""#)
    #expect(text { $0.price.asDouble / 2 } == "Order.price.asDouble / 2.0")
  }

  @Test(arguments: mistakes)
  func `What can't be calculated traps with a sentence`(_ mistake: Mistake) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [name = mistake.name as String] in
      for mistake in mistakes where mistake.name == name { try mistake.make() }
    }
    trap.expectMessage(mistake.words, inRelease: true)
  }
}

private let mistakes: [Mistake] = [
  Mistake("a sum of numbers without a sign", "A query can't calculate with a number of 64 bits") {
    _ = Query<Coin>().filter { $0.value + 1 > 2 }
  },
  Mistake("a fraction of them", "A query can't calculate with a number of 64 bits") {
    _ = Query<Coin>().filter { $0.value.asDouble > 2 }
  },
  Mistake("a product with NaN", "A condition compares with NaN, which nothing equals; use nil") {
    _ = Query<Order>().filter { $0.weight * .nan > 2 }
  },
  Mistake("a prefix below 0", "A prefix of -1 characters was asked for; ask for 0 or more") {
    _ = Query<Order>().filter { $0.note.prefix(-1) == "" }
  },
]

extension Query {
  fileprivate static var row: Row<Root, Root> {
    var row: Row<Root, Root>?
    _ = Query().filter {
      row = $0
      return .always
    }
    guard let row else { fatalError("A filter's closure is called at once") }
    return row
  }
}

import EntityStore
import Foundation
import FoundationSupport
import TestSupport

/// An entity whose id has parts, with references of every kind, under names that JSON must escape.
struct Berth: Entity {
  struct ID: CompositeID {
    var pier: String
    var number: Int
  }

  let id: ID
  var note: String?
  var depth: Double?
  var item: Ref<Item>?
  var next: Ref<Berth>?
  var guest: Ref<Berth>?
  var host: Ref<Keeper>
  var wide: UInt64 = 7
  static var entityName: String { "A \"berth\"\n\\\u{1F6A4}" }
  static let attributes = Attributes(
    .id(\Berth.id, ID.init, .part("pi\"er", \.pier), .part("number", \.number)),
    .attribute("no\nte", \.note), .attribute("depth", \.depth, default: 1.5),
    .one("item", \.item), .one("next", \.next), .one("guest", \.guest, lateBound: true),
    .one("host", \.host), .attribute("wide", \.wide, default: 9))
  static let schema = Schema(attributes, Berth.init)
}

/// Its name comes after those of all who refer to it, and it refers to itself.
struct Keeper: Entity {
  let id: UUID
  var name: String = ""
  var deputy: Ref<Keeper>?
  static var entityName: String { "Zookeeper" }
  static let attributes = Attributes(
    .id(\Keeper.id), .attribute("name", \.name), .one("deputy", \.deputy))
  static let schema = Schema(attributes, Keeper.init, rules: [.unique(\.name)])
}

enum Harbour {
  static let entities: [any Entity.Type] = [Item.self, Owner.self, Berth.self, Keeper.self]

  static let texts = [
    "", "\0", "\"", "\\", "\n\r\t", "\u{1}\u{1F}\u{7F}\u{80}", "e\u{301}", "\u{E9}", "\u{2028}",
    "/",
    "\u{FEFF}a", "\u{1F600}", "\u{10FFFF}", "</script>", "{\"entity\":1}", "null", "Infinity",
    "AAAA",
  ]
  static let reals: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -0.0, 0, .leastNonzeroMagnitude, .leastNormalMagnitude,
    0.1,
    1, 1e15, 1e16, 1e21, 123_456_789.123_456_79, 1e300, .infinity, 9_007_199_254_740_994,
  ]
  static let integers: [Int] = [.min, -1 << 53 - 1, -1, 0, 1, 1 << 53 + 1, .max]

  private static func uuid(_ number: Int) -> UUID {
    let byte = UInt8(truncatingIfNeeded: number &* 37)
    return UUID(uuid: (byte, 255, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, UInt8(number / 256), byte))
  }

  /// Fills a store with so many objects of each entity, in a random order.
  static func fill(_ store: Store, seed: Int, count: Int) throws {
    var random = SeededGenerator(seed: seed)
    func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &random)]
    }
    func maybe<Element>(_ elements: [Element]) -> Element? {
      random.chance(0.3) ? nil : pick(elements)
    }
    let ids = (0..<count).map {
      Berth.ID(pier: texts[$0 % texts.count], number: integers[$0 % integers.count] &+ $0 / 100)
    }
    try store.commit { draft in
      for id in (0..<count).shuffled(using: &random) {
        try draft.insert(Owner(id: id))
        let item = Item(
          id: id, name: pick(texts), note: maybe(texts), year: pick(integers),
          size: maybe(integers),
          big: pick([0, 1, UInt64(Int64.max) + 1, .max]), weight: pick(reals),
          ratio: maybe([-.infinity, .leastNonzeroMagnitude, 0.1, .greatestFiniteMagnitude]),
          price: pick([0, -1, .greatestFiniteMagnitude, Decimal(string: "0.1") ?? 0]),
          discount: maybe([0, .leastFiniteMagnitude]), isOpen: pick([true, false]),
          isNew: maybe([true, false]), fuel: pick(Fuel.allCases), grade: maybe(Size.allCases),
          made: pick([.distantPast, .distantFuture, Date(timeIntervalSince1970: 0.25)]),
          seen: maybe([Date(timeIntervalSinceReferenceDate: 0.1)]), code: maybe([uuid(id)]),
          bytes: pick([Data(), Data([0]), Data([255, 254]), Data(repeating: 7, count: 100)]),
          owner: maybe([Ref(Int.random(in: 0..<count, using: &random))]),
          address: maybe([Address(street: pick(texts), city: maybe(texts))]))
        try draft.insert(item)
        try draft.upsert(
          Berth(
            id: ids[id], note: maybe(texts), depth: maybe(reals),
            item: maybe([Ref(Int.random(in: 0..<count, using: &random))]),
            next: maybe([Ref(pick(ids))]),
            guest: maybe([Ref(Berth.ID(pier: "nowhere", number: 1)), Ref(pick(ids))]),
            host: Ref(uuid(Int.random(in: 0..<count, using: &random))),
            wide: pick([0, .max])))
        try draft.insert(
          Keeper(
            id: uuid(id), name: "\(id)",
            deputy: maybe([Ref(uuid(Int.random(in: 0..<count, using: &random)))])))
      }
    }
  }
}

extension Store {
  /// The lines of an export.
  func exported(progress: (JSONLines.Progress) throws -> Void = { _ in }) throws -> Data {
    var all = Data()
    try exportJSONLines(progress: progress) { all += $0 }
    return all
  }

  /// Imports text, a few bytes at a time.
  @discardableResult
  func importing(
    _ data: Data, inPieces size: Int = 1000, existing: JSONLines.ExistingObjects = .refuse,
    objectsPerCommit: Int? = nil, progress: (JSONLines.Progress) throws -> Void = { _ in }
  ) throws -> JSONLines.Result {
    var start = data.startIndex
    return try importJSONLines(
      existing: existing, objectsPerCommit: objectsPerCommit, progress: progress
    ) {
      let end = data.index(start, offsetBy: size, limitedBy: data.endIndex) ?? data.endIndex
      defer { start = end }
      return data[start..<end]
    }
  }
}

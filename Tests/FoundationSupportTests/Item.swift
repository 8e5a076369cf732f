import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import SQLitePersistence
import TestSupport

enum Fuel: String, Codable, Storable, CaseIterable { case petrol, diesel, none = "" }

/// Ordered otherwise than its raw values are.
enum Size: String, Codable, Storable, CaseIterable, Comparable {
  case small, medium, large

  static func < (a: Size, b: Size) -> Bool {
    (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
  }
}

struct Address: Codable, Storable, Equatable {
  var street: String
  var city: String?
}

struct Owner: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Owner.id))
  static let schema = Schema(attributes, Owner.init)
}

/// An attribute of every type that Foundation has an opinion of.
struct Item: Entity {
  let id: Int
  var name = ""
  var note: String?
  var year = 0
  var size: Int?
  var big: UInt64 = 0
  var weight = 0.0
  var ratio: Float?
  var price = Decimal(0)
  var discount: Decimal?
  var isOpen = false
  var isNew: Bool?
  var fuel = Fuel.none
  var grade: Size?
  var made = Date(timeIntervalSince1970: 0)
  var seen: Date?
  var code: UUID?
  var bytes = Data()
  var owner: Ref<Owner>?
  var address: Address?
  static let attributes = Attributes(
    .id(\Item.id), .attribute("name", \.name), .attribute("note", \.note),
    .attribute("year", \.year), .attribute("size", \.size), .attribute("big", \.big),
    .attribute("weight", \.weight), .attribute("ratio", \.ratio), .attribute("price", \.price),
    .attribute("discount", \.discount), .attribute("isOpen", \.isOpen),
    .attribute("isNew", \.isNew), .attribute("fuel", \.fuel), .attribute("grade", \.grade),
    .attribute("made", \.made), .attribute("seen", \.seen), .attribute("code", \.code),
    .attribute("bytes", \.bytes), .one("owner", \.owner), .attribute("address", \.address))
  static let schema = Schema(attributes, Item.init, rules: [.index(\.name)])
}

extension Item {
  /// Not an attribute.
  var title: String { "\(name) \(year)" }

  /// Values that meet often, nil among them, in text that Foundation and the store see alike.
  static func random(_ id: Int, _ generator: inout SeededGenerator) -> Item {
    func one<Value>(_ values: [Value]) -> Value {
      values.randomElement(using: &generator) ?? values[0]
    }
    return Item(
      id: id, name: one(texts), note: one([nil] + texts), year: one(numbers),
      size: one([nil] + numbers), big: one([0, 1, UInt64.max, 1 << 63]),
      weight: one([-1, -0.0, 0, 0.5, 2, .infinity, -.infinity]), ratio: one([nil, 0, 0.1, 0.5]),
      price: one(prices), discount: one([nil] + prices), isOpen: one([true, false]),
      isNew: one([nil, true, false]), fuel: one(Fuel.allCases),
      grade: one([nil] + Size.allCases),
      made: Date(timeIntervalSince1970: Double(one([-5, 0, 7, 1_000_000]))),
      seen: one([nil, Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 7)]),
      code: one([nil] + codes), bytes: one([Data(), Data([0]), Data([0, 255])]),
      owner: one([nil, Ref<Owner>(1), Ref<Owner>(2)]),
      address: one([nil, Address(street: "a/b", city: nil), Address(street: "", city: "é")]))
  }

  static let texts = ["", "a", "A", "ab", "b", "aab", "é", "éa", "10", "9", "a\0b", "%", "_", "日本"]
  static let numbers = [-1, 0, 1, 2, 3, 10]
  static let prices: [Decimal] = [-12.5, -9, 0, 9, 10, 12.5, 100]
  static let codes = [UUID.zero, UUID(uuidString: "FFFFFFFF-0000-0000-0000-000000000001") ?? .zero]
}

extension UUID {
  static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

extension TestStorage {
  /// A store of items.
  func makeStore(of items: [Item]) throws -> Store {
    let store = try makeStore(Item.self, Owner.self)
    try store.commit { draft in
      try draft.insert(Owner(id: 1))
      try draft.insert(Owner(id: 2))
      for item in items { try draft.insert(item) }
    }
    return store
  }
}

/// Enough items for most values to meet.
let items: [Item] = {
  var generator = SeededGenerator(number: 1)
  return (1...150).map { Item.random($0, &generator) }
}()

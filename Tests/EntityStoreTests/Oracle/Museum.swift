import EntityStore
import Foundation
import FoundationSupport

/// Entities with every kind of value, under names that are traps in SQL (P6).
struct Curio: Entity {
  struct ID: CompositeID {
    var room: String
    var number: Int
  }

  enum Grade: String, Storable, CaseIterable {
    case common = ""
    case rare = "r"
    case unique = "\u{1F48E}"
  }

  struct Story: Codable, Storable, Equatable {
    var lines: [String]
    var page: Int?
  }

  let id: ID
  var label: String?
  var weight: Double?
  var made: Date?
  var token: UUID?
  var grade: Grade?
  var isLent: Bool?
  var wide: UInt64?
  var price: Decimal?
  var story: Story?
  var image: Data?
  var ratio: Float = 0
  var size: Int = 0
  var box: Ref<Curio>?
  var pair: Ref<Curio>?
  var finder: Ref<Finder>?

  static var entityName: String { "Select \"*\" [from]; -- 100% \u{1F600} 'x'" }

  static let attributes = Attributes(
    .id(\Curio.id, ID.init, .part("or", \.room), .part("(1)", \.number)),
    .attribute("rowid", \.label), .attribute("oid", \.weight), .attribute("group by", \.made),
    .attribute("?", \.token), .attribute(":name", \.grade), .attribute("isLent", \.isLent),
    .attribute("100%", \.wide), .attribute("a`b[c]", \.price), .attribute("\"", \.story),
    .attribute("'", \.image), .attribute(" ", \.ratio), .attribute("\u{1F4CF}", \.size),
    .one("table", \.box, inverse: \.content, onDelete: .nullify),
    .one("NULL", \.pair, inverse: \.pairs, lateBound: true),
    .one("find;er", \.finder, inverse: \.finds, onDelete: .nullify))
  static let schema = Schema(
    attributes, Curio.init, rules: [.index(\.label), .index(\.size, \.made)])
}

extension Curio {
  var content: Many<Curio, Curio> { Many(\.box) }
  var pairs: Many<Curio, Curio> { Many(\.pair) }
  var fans: Many<Curio, Finder> { Many(\.favourite) }
}

struct Finder: Entity {
  let id: UUID
  var name: String = ""
  var age: Int32 = 0
  var since: Date?
  var mentor: Ref<Finder>?
  var favourite: Ref<Curio>?
  var hall: Ref<Hall>?

  static var entityName: String { "table" }

  static let attributes = Attributes(
    .id(\Finder.id, name: "_rowid_"), .attribute("rowid", \.name),
    .attribute("order", \.age),
    .attribute("t0", \.since), .one("t1", \.mentor, inverse: \.pupils, onDelete: .nullify),
    .one("main.x", \.favourite, inverse: \.fans, lateBound: true),
    .one("index", \.hall, inverse: \.finders, lateBound: true))
  static let schema = Schema(attributes, Finder.init)
}

extension Finder {
  var finds: Many<Finder, Curio> { Many(\.finder) }
  var pupils: Many<Finder, Finder> { Many(\.mentor) }
}

/// Its id is a date, and its name that of an alias in our SQL.
struct Hall: Entity {
  let id: Date
  var floor: Int8?
  var wing: UInt = 0

  static var entityName: String { "t1" }

  static let attributes = Attributes(
    .id(\Hall.id, name: "rowid"), .attribute("floor", \.floor), .attribute("wing", \.wing))
  static let schema = Schema(attributes, Hall.init)
}

extension Hall {
  var finders: Many<Hall, Finder> { Many(\.hall) }
}

import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import TestSupport

struct Shelf: Entity {
  let id: Int
  var name: String
  var load: Int?
  static let attributes = Attributes(
    .id(\Shelf.id), .attribute("name", \.name), .attribute("load", \.load))
  static let schema = Schema(attributes, Shelf.init)
}

struct Item: Entity {
  let id: Int
  var name: String
  var stock: Int
  var debt: Int?
  var price: Double?
  var code: UInt64
  var shelf: Ref<Shelf>?
  static let attributes = Attributes(
    .id(\Item.id), .attribute("name", \.name), .attribute("stock", \.stock),
    .attribute("debt", \.debt), .attribute("price", \.price), .attribute("code", \.code),
    .one("shelf", \.shelf, inverse: \.items, onDelete: .nullify))
  static let schema = Schema(attributes, Item.init)

  init(
    id: Int, name: String, stock: Int, debt: Int?, price: Double?, code: UInt64,
    shelf: Ref<Shelf>?
  ) {
    self.id = id
    self.name = name
    self.stock = stock
    self.debt = debt
    self.price = price
    self.code = code
    self.shelf = shelf
  }

  init(_ id: Int, name: String = "", stock: Int = 0, price: Double? = nil, shelf: Int? = nil) {
    self.init(
      id: id, name: name, stock: stock, debt: nil, price: price, code: 0,
      shelf: shelf.map { Ref($0) })
  }
}

extension Shelf {
  var items: Many<Shelf, Item> { Many(\.shelf) }
}

extension TestStorage {
  func makeWarehouse() throws -> Store { try makeStore(Shelf.self, Item.self) }
}

extension Query<Item> {
  /// The query with all that these tests sum up.
  var summedUp: Query<Item> {
    aggregating {
      $0.name
      $0.stock
      $0.debt
      $0.price
      $0.code
      $0.shelf.load
    }
  }
}

/// The aggregates of some items, by a snapshot or a section, or by hand.
struct Totals: Equatable, Sendable {
  /// The names' bytes: two forms of one letter are equal texts.
  var names: [[UInt8]?]
  var counts: [Int]
  /// nil where it is beyond `Int`.
  var stock: Int?
  var stocks: [Int?]
  var debt: Int?
  var debts: [Int?]
  var price: Double
  var prices: [Double?]
  var averagePrice: Double?
  var code: Int?
  var codes: [UInt64?]
  var load: Int?
  var loads: [Int?]
  var averageLoad: Double?
}

extension Totals {
  /// By what says the numbers of some items itself.
  init(_ source: some AggregatedRows<Item>) {
    names = [source.min { $0.name }, source.max { $0.name }].map { $0.map { Array($0.utf8) } }
    counts = [
      source.count { $0.name }, source.count { $0.debt }, source.count { $0.price },
      source.count { $0.shelf.load },
    ]
    stock = try? source.sum { $0.stock }
    stocks = [source.min { $0.stock }, source.max { $0.stock }]
    debt = try? source.sum { $0.debt }
    debts = [source.min { $0.debt }, source.max { $0.debt }]
    price = source.sum { $0.price }
    prices = [source.min { $0.price }, source.max { $0.price }]
    averagePrice = source.average { $0.price }
    code = try? source.sum { $0.code }
    codes = [source.min { $0.code }, source.max { $0.code }]
    load = try? source.sum { $0.shelf.load }
    loads = [source.min { $0.shelf.load }, source.max { $0.shelf.load }]
    averageLoad = try? source.average { $0.shelf.load }
  }

  /// By hand, from the items and their shelves.
  init(_ items: [Item], _ shelves: [Int: Shelf]) {
    func wholeSum(_ numbers: [Int]) -> Int? {
      // In halves, neither of which overflows.
      let low = numbers.reduce(0) { $0 + $1 & 0xFFFF_FFFF }
      let high = numbers.reduce(0) { $0 + $1 >> 32 } + low >> 32
      return Int32(exactly: high).map { Int($0) << 32 | low & 0xFFFF_FFFF }
    }
    let loads = items.compactMap { $0.shelf.flatMap { shelves[$0.id]?.load } }
    let prices = items.compactMap(\.price)
    let debts = items.compactMap(\.debt)
    let sorted = items.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    names = [sorted.first, sorted.last].map { $0.map { Array($0.utf8) } }
    counts = [items.count, debts.count, prices.count, loads.count]
    stock = wholeSum(items.map(\.stock))
    stocks = [items.map(\.stock).min(), items.map(\.stock).max()]
    debt = wholeSum(debts)
    self.debts = [debts.min(), debts.max()]
    price = exactSum(prices)
    self.prices = [prices.min(), prices.max()]
    averagePrice = prices.isEmpty ? nil : price / Double(prices.count)
    let codes = items.map(\.code)
    let (sum, isBeyond) = codes.reduce((0 as UInt64, false)) { sum, code in
      let (next, overflows) = sum.0.addingReportingOverflow(code)
      return (next, sum.1 || overflows)
    }
    code = isBeyond ? nil : Int(exactly: sum)
    self.codes = [codes.min(), codes.max()]
    load = wholeSum(loads)
    self.loads = [loads.min(), loads.max()]
    averageLoad = loads.isEmpty ? nil : load.map { Double($0) / Double(loads.count) }
  }
}

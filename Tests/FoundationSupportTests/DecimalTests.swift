@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

private struct Product: Entity {
  let id: Int
  var price: Decimal
  var discount: Decimal?
  static let attributes = Attributes(
    .id(\Product.id), .attribute("price", \.price), .attribute("discount", \.discount))
  static let schema = Schema(attributes, Product.init)
}

/// A price that is a type of its own.
private struct Price: RawRepresentable, Codable, Storable {
  var rawValue: Decimal
}

private struct Offer: Entity {
  let id: Decimal
  var price: Price
  static let attributes = Attributes(.id(\Offer.id), .attribute("price", \.price))
  static let schema = Schema(attributes, Offer.init)
}

/// Had other names once.
private struct Renamed: Entity {
  let id: Int
  var price: Decimal
  var discount: Decimal?
  static let attributes = Attributes(
    .id(\Renamed.id), .attribute("price", \.price, default: 1.5, renamedFrom: "cost", "sum"),
    .attribute("discount", \.discount, default: 0.25, renamedFrom: "rebate"))
  static let schema = Schema(attributes, Renamed.init)
}

@Suite struct `Decimal numbers are stored in order` {
  @Test func `An attribute whose default is written with a fraction may have had other names`() {
    let columns = Renamed.schema.entity.columns
    #expect(columns.map(\.formerNames) == [[], ["cost", "sum"], ["rebate"]])
    #expect(
      columns.map(\.defaultValue) == [
        nil, Decimal(string: "1.5")?.storedValue, Decimal(string: "0.25")?.storedValue,
      ])
  }

  /// Numbers at every edge, and random ones of every length and size.
  static let numbers: [Decimal] = {
    var generator = SeededGenerator(number: 1)
    var numbers: [Decimal] = [
      0, .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude, .pi,
      -Decimal.leastNonzeroMagnitude, Decimal(Int.max), Decimal(Int.min), Decimal(UInt64.max),
    ]
    let most = "340282366920938463463374607431768211455"
    for exponent in -128...127 {
      for digits in ["1", "2", "9", "10", "99", "5\(String(repeating: "0", count: 37))", most] {
        numbers.append(decimal("\(digits)e\(exponent)"))
        numbers.append(decimal("-\(digits)e\(exponent)"))
      }
    }
    for _ in 0..<3000 {
      let count = Int.random(in: 1...38, using: &generator)
      // Few digits, so that many numbers begin alike.
      let digits = (0..<count).map { _ in "0159".randomElement(using: &generator) ?? "0" }
      let sign = Bool.random(using: &generator) ? "-" : ""
      let spread = generator.chance(0.5) ? 3 : 127
      let exponent = Int.random(in: -spread...spread, using: &generator)
      numbers.append(decimal("\(sign)\(String(digits))e\(exponent)"))
    }
    return numbers
  }()

  private static func decimal(_ text: String) -> Decimal {
    guard let number = Decimal(string: text), !number.isNaN else {
      preconditionFailure("\(text) is no decimal number")
    }
    return number
  }

  @Test func `Every number comes back, and has one text`() throws {
    try withEvery("number", in: Self.numbers) { number in
      let again = try Decimal(storedValue: number.storedValue)
      expectEqual(again, number)
      expectEqual(again.storedValue, number.storedValue)
    }
  }

  @Test func `The order of texts is the order of numbers, and equal ones have equal texts`() {
    let texts = Self.numbers.map(\.storedValue)
    // Each with its neighbours in the order of texts, and with numbers from anywhere.
    let order = texts.indices.sorted { texts[$0] < texts[$1] }
    var generator = SeededGenerator(number: 2)
    for (a, b) in zip(order, order.dropFirst()) {
      let others = (0..<20).map { _ in Int.random(in: texts.indices, using: &generator) }
      for other in others + [b] {
        withEvery("numbers", in: [[Self.numbers[a], Self.numbers[other]]]) { pair in
          expectEqual(texts[a] < texts[other], pair[0] < pair[1])
          expectEqual(texts[a] == texts[other], pair[0] == pair[1])
        }
      }
    }
  }

  @Test func `Small numbers are in order, each against each`() {
    var numbers: [Decimal] = []
    for hundredths in -2500...2500 where hundredths % 7 == 0 || abs(hundredths) < 130 {
      numbers.append(Decimal(hundredths) / 100)
    }
    let texts = numbers.map(\.storedValue)
    for a in numbers.indices {
      for b in numbers.indices where (a < b) != (texts[a] < texts[b]) {
        Issue.record("\(texts[a]) and \(texts[b])")
      }
    }
  }

  @Test func `A text can be read`() {
    let texts = [
      "12.5": "p501125 12.5", "10": "p5011 10", "9": "p5009 9", "0": "o 0", "-9": "n4990~ -9",
      "-12.5": "n498874~ -12.5", "0.000001": "p4941 0.000001", "0.0000015": "p49415 0.0000015",
      "0.00000015": "p49315 1.5e-7",
      "100000000000000000000": "p5201 100000000000000000000", "-1e21": "n4788~ -1e21",
      "10e127": "p6281 1e128", "1.50": "p50015 1.5", "-0": "o 0", "0.00": "o 0",
    ]
    for (number, text) in texts {
      #expect(Self.decimal(number).storedValue == .text(text))
    }
  }

  @Test func `1.0 and 1.00 are one value however they are made`() throws {
    let ones: [Decimal] = [
      1, Self.decimal("1.00"), Self.decimal("0.1") * 10, Self.decimal("0.25") * 4,
      Self.decimal("100") / 100, Decimal(sign: .plus, exponent: -2, significand: 100),
    ]
    for one in ones { #expect(one.storedValue == .text("p5001 1")) }
    #expect((Decimal(1) - 1).storedValue == .text("o 0"))
    #expect((Decimal(5) * 0 * -1).storedValue == .text("o 0"))
  }

  @Test func `Any other text is refused`() {
    let texts = [
      "", "1", "10", "p", "p5001", "p5001 ", "p5001 1.0", "p5001 2", "p50010 1", "p5001 1 ", "o",
      "o 1", "o  0", "p50 1", "p500 0", "n4990 -9", "n4990~ 9", "n4990~-9", "q5001 1", "P5001 1",
      "p5001 +1", "p5:01 1", "p50:1 1", "p7001 1e200", "p1001 1e-400", "p5001\u{301} 1", "p5001 １",
      "p500" + String(repeating: "1", count: 40) + " 1", "n499/~ -9", "p5000 0", "p50001 1",
    ]
    for found in texts.map(StoredValue.text) + [.integer(1), .real(1), .real(.nan), .null] {
      #expect(throws: StoredValue.Mismatch.self, "\(found)") { try Decimal(storedValue: found) }
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `Conditions and orders are those of the numbers`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Product.self)
    let numbers = Array(Self.numbers.suffix(300)) + [9, 10, -9, -10, 0]
    let products = numbers.enumerated().map { index, number in
      Product(id: index, price: number, discount: index % 3 == 0 ? nil : number)
    }
    try store.commit { draft in for product in products { try draft.insert(product) } }
    let sorted = try store.fetch(Query<Product>().sorted { [$0.price.ascending] })
    #expect(sorted.map(\.price) == numbers.sorted())
    for limit in [10, 0, -9, numbers[7]] {
      let query = Query<Product>().filter { $0.price > limit && $0.discount <= 100 }
      #expect(
        try store.fetch(query).map(\.id)
          == products.filter { $0.price > limit && ($0.discount.map { $0 <= 100 } ?? false) }
          .map(\.id))
      #expect(
        try store.count(Query<Product>().filter { $0.price == limit })
          == numbers.count { $0 == limit })
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `NaN is refused, as an attribute, an id or in a type of its own`(_ storage: TestStorage)
    throws
  {
    let products = try storage.makeStore(Product.self)
    try products.commit { try $0.insert(Product(id: 1, price: 1, discount: nil)) }
    #expect(throws: StoreError.notANumber(ObjectID(Product.self, 1), attribute: "discount")) {
      try products.commit { try $0.update(Product.self, 1) { $0.discount = .nan } }
    }
    #expect(throws: StoreError.notANumber(ObjectID(Product.self, 2), attribute: "price")) {
      try products.commit { try $0.insert(Product(id: 2, price: .nan, discount: nil)) }
    }
    #expect(try products.fetch(Query<Product>()).map(\.discount) == [nil])
    let offers = try storage.makeStore(Offer.self)
    #expect(throws: StoreError.notANumber(ObjectID(Offer.self, 1), attribute: "price")) {
      try offers.commit { try $0.insert(Offer(id: 1, price: Price(rawValue: .nan))) }
    }
    #expect(throws: StoreError.self) {
      try offers.commit { try $0.insert(Offer(id: .nan, price: Price(rawValue: 1))) }
    }
    #expect(try offers.find(Offer.self, .nan) == nil)
  }

  @Test func `A condition with NaN stops the program with a sentence`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Query<Item>().filter { $0.price > .nan }
    }
    let text = String(decoding: trap.standardErrorContent, as: UTF8.self)
    #expect(text.contains("A condition compares with NaN, which nothing equals; use nil"))
  }
}

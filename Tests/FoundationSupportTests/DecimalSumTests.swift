@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

private struct Sale: Entity {
  let id: Int
  var amount: Decimal
  var tip: Decimal?
  var ratio: Float = 3
  var big: Int64 = 4
  var rank: UInt8?
  static let attributes = Attributes(
    .id(\Sale.id), .attribute("amount", \.amount, default: 3),
    .attribute("tip", \.tip, default: 0.1), .attribute("ratio", \.ratio, default: 3),
    .attribute("big", \.big, default: 3), .attribute("rank", \.rank, default: 2))
  static let schema = Schema(attributes, Sale.init)
}

private struct Reading: Entity {
  let id: Int
  var low: Float
  var high: Decimal?
  var step: Float?
  var wide: Decimal
  var count: UInt64?
  var real: Double?
  static let attributes = Attributes(
    .id(\Reading.id), .attribute("low", \.low, default: 3.5),
    .attribute("high", \.high, default: 3), .attribute("step", \.step, default: -0.5),
    .attribute("wide", \.wide, default: 2.25), .attribute("count", \.count, default: 7),
    .attribute("real", \.real, default: 3))
  static let schema = Schema(attributes, Reading.init)
}

@Suite struct `Sums of decimal numbers and defaults of numbers` {
  private func makeStore(_ storage: TestStorage, _ amounts: [Decimal]) throws -> Store {
    let store = try storage.makeStore(Sale.self)
    try store.commit { draft in
      for (id, amount) in amounts.enumerated() {
        try draft.insert(Sale(id: id, amount: amount, tip: id % 2 == 0 ? nil : amount))
      }
    }
    return store
  }

  @Test(arguments: TestStorage.allCases)
  func `They are exact, and nil counts for nothing`(_ storage: TestStorage) throws {
    let cents = (1...999).map { Decimal($0) / 100 }
    let store = try makeStore(storage, cents)
    let all = Query<Sale>()
    #expect(try store.sum(of: all) { $0.amount } == Decimal(4995))
    #expect(try store.average(of: all) { $0.amount } == Decimal(5))
    #expect(try store.sum(of: all) { $0.tip } == Decimal(2495))
    #expect(try store.average(of: all.filter { $0.tip < 0 }) { $0.tip } == nil)
    #expect(try store.sum(of: all.filter { $0.tip < 0 }) { $0.tip } == 0)
    #expect(try store.commit { try $0.sum(of: all) { $0.amount } } == Decimal(4995))
    #expect(try store.read { try $0.sum(of: all) { $0.amount } } == Decimal(4995))
  }

  @Test(arguments: TestStorage.allCases)
  func `A sum that Decimal can't say throws`(_ storage: TestStorage) throws {
    for amounts: [Decimal] in [
      [Decimal(string: "1e38"), Decimal(string: "1e-38")].compactMap(\.self),
      [.greatestFiniteMagnitude, .greatestFiniteMagnitude],
      [
        Decimal(string: "99999999999999999999999999999999999999") ?? 0, Decimal(string: "0.1") ?? 0,
      ],
    ] {
      let store = try makeStore(storage, amounts)
      #expect(throws: StoreError.overflow(entity: "Sale")) {
        try store.sum(of: Query<Sale>()) { $0.amount }
      }
    }
    let store = try makeStore(storage, [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 3])
    #expect(try store.sum(of: Query<Sale>()) { $0.amount } == 3)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: A sum is the same in any order, though a part of it has more digits than Decimal`(
    _ storage: TestStorage
  ) throws {
    let many = try #require(Decimal(string: String(repeating: "9", count: 38)))
    let tenth = try #require(Decimal(string: "0.1"))
    for amounts in [[many, tenth, -many], [tenth, many, -many], [many, -many, tenth]] {
      for isNegative in [false, true] {
        let store = try makeStore(storage, isNegative ? amounts.map { -$0 } : amounts)
        let sum = isNegative ? -tenth : tenth
        #expect(try store.sum(of: Query<Sale>()) { $0.amount } == sum)
        let threes = String(repeating: "3", count: 39) + "e-40"
        let average = try #require(Decimal(string: isNegative ? "-\(threes)" : threes))
        #expect(try store.average(of: Query<Sale>()) { $0.amount } == average)
      }
    }
    let edges: [Decimal] = [.leastNonzeroMagnitude, .greatestFiniteMagnitude]
    let store = try makeStore(storage, edges + edges.map { -$0 })
    #expect(try store.sum(of: Query<Sale>()) { $0.amount } == 0)
  }

  @Test func `S8: An average is rounded to the nearest number`() throws {
    let sixes = String(repeating: "6", count: 37)
    let nines = String(repeating: "9", count: 38)
    let cases: [(amounts: [String], average: String)] = [
      (["1", "1", "0"], "\(sixes)7e-38"), (["-1", "-1", "0"], "-\(sixes)7e-38"),
      (["1", "0", "0"], String(repeating: "3", count: 39) + "e-39"),
      (["2e-100", "4e-100"], "3e-100"), (["1e-128", "1e-128", "0"], "1e-128"),
      (["1e-128", "0", "0"], "0"), (["1e-128", "0"], "1e-128"),
      ([nines, nines], nines), (["1", "2", "4", "-7"], "0"), (["1e-100"], "1e-100"),
      (["0.5", "0.25"], "0.375"), (["7e127", "2e127"], "45e126"), (["1", "0", "0", "0"], "0.25"),
      (["34e37", "0.0"], "17e37"), (["3e38", "1e38"], "2e38"),
    ]
    for (amounts, average) in cases {
      let store = try makeStore(.memory, amounts.compactMap { Decimal(string: $0) })
      let expected = try #require(Decimal(string: average))
      let found = try store.average(of: Query<Sale>()) { $0.amount }
      #expect(found == expected, "\(amounts)")
    }
    for number in [Decimal.greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude] {
      let store = try makeStore(.memory, [number])
      #expect(try store.average(of: Query<Sale>()) { $0.amount } == number)
    }
  }

  @Test func `A literal is a default of every type of number`() {
    func defaults(_ entity: EntityDescription) -> [StoredValue?] {
      entity.columns.dropFirst().map(\.defaultValue)
    }
    #expect(
      defaults(Sale.schema.entity) == [
        Decimal(3).storedValue, Decimal(floatLiteral: 0.1).storedValue, .real(3), .integer(3),
        .integer(2),
      ])
    #expect(
      defaults(Reading.schema.entity) == [
        .real(3.5), Decimal(3).storedValue, .real(-0.5), Decimal(floatLiteral: 2.25).storedValue,
        (7 as UInt64).storedValue, .real(3),
      ])
  }

  @Test func `S6: a default that isn't of the type traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Small: Entity {
        let id: Int
        var size: UInt8
        static let attributes = Attributes(.id(\Small.id), .attribute("size", \.size, default: 300))
        static let schema = Schema(attributes, Small.init)
      }
      _ = Small.schema
    }
    let text = String(decoding: trap.standardErrorContent, as: UTF8.self)
    #expect(text.contains("The default of Small.size is 300, which is no UInt8"))
  }
}

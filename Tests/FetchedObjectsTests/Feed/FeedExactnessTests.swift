import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import ListDiffing
import ListFixtures
import TestSupport
import Testing

/// One of each kind that is stored, with what JSON has one form of for two.
private struct Sample: Entity {
  struct ID: CompositeID {
    var weight: Double
    var place: Int
  }

  let id: ID
  var price: Double
  var count: Int
  var isOpen: Bool
  var title: String
  var blob: [UInt8]
  var mark: Double?
  var code: UInt64
  static let attributes = Attributes(
    .id(\Sample.id, ID.init, .part("weight", \.weight), .part("place", \.place)),
    .attribute("price", \.price), .attribute("count", \.count), .attribute("isOpen", \.isOpen),
    .attribute("title", \.title), .attribute("blob", \.blob), .attribute("mark", \.mark),
    .attribute("code", \.code))
  static let schema = Schema(attributes, Sample.init)
}

@Suite struct FeedExactnessTests {
  private static let reals: [Double] = [
    8, 0, -0.0, 0.5, -3, 1e15, 9_007_199_254_740_992, 1e18, 9_223_372_036_854_774_784,
    -9_223_372_036_854_775_808, 9_223_372_036_854_775_808, 1e19, 1e22, 1e308, -1e308,
    .leastNonzeroMagnitude,
    .greatestFiniteMagnitude, .infinity, -.infinity, 0.1, 123456789.125,
  ]
  private static let values: [StoredValue] =
    [
      .null, .integer(0), .integer(8), .integer(-1), .integer(.max), .integer(.min), .text(""),
      .text("8"), .text("8.0"), .text("null"), .text("\u{0}"), .text("e\u{301}"), .bytes([]),
      .bytes([0, 255]), .list([]), .list([.null]), .list([.integer(1), .real(1), .text("1")]),
      .list([.list([.real(2)]), .bytes([2])]),
    ] + reals.map { .real($0) } + reals.map { .list([.real($0), .integer(1)]) }

  private func copy<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  /// Whether two values are the same, down to the sign of zero.
  private func areSame(_ a: StoredValue?, _ b: StoredValue?) -> Bool {
    if case .real(let a)? = a, case .real(let b)? = b { return a.bitPattern == b.bitPattern }
    if case .list(let a)? = a, case .list(let b)? = b {
      return a.count == b.count && zip(a, b).allSatisfy { areSame($0, $1) }
    }
    return a == b
  }

  @Test func `F14: every stored value comes back from JSON as it was, alone and beside others`()
    throws
  {
    for value in Self.values {
      let row = FeedValues(["value": value, "count": .integer(8), "none": .null])
      let copied = try copy(row)
      #expect(areSame(copied["value"], value), "\(value) of a row")
      #expect(copied == row)
      let section = FeedSection(identity: value, title: "t", hash: 1)
      #expect(areSame(try copy(section).identity, value), "\(value) of a section")
    }
    let all = FeedValues(
      Dictionary(uniqueKeysWithValues: Self.values.enumerated().map { ("\($0)", $1) }))
    #expect(try copy(all) == all)
  }

  @Test func `F14: a name that a row keeps for itself may be an attribute's, too`() throws {
    for names in [[".real"], ["..real"], [".real", "..real", "real"], ["real"], ["a.real"], [""]] {
      for value in [StoredValue.real(1), .integer(1), .list([.text("other")]), .text(names[0])] {
        var values: [String: StoredValue] = ["other": .integer(3), "whole": .real(3)]
        for name in names { values[name] = value }
        #expect(try copy(FeedValues(values)) == FeedValues(values), "\(names), \(value)")
        values["whole"] = nil
        #expect(try copy(FeedValues(values)) == FeedValues(values), "\(names), \(value)")
      }
    }
  }

  @Test func `F14: readers in other languages see numbers, and what they are beside them`() throws {
    func text(_ value: some Encodable) throws -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
    #expect(
      try text(FeedValues(["id": .integer(1), "price": .real(8)]))
        == #"{".real":["price"],"id":1,"price":8}"#)
    #expect(
      try text(FeedValues(["id": .integer(1), "price": .real(8.5)])) == #"{"id":1,"price":8.5}"#)
    #expect(
      try text(FeedSection(identity: .real(8), title: "8.0", hash: 1))
        == #"{"hash":"0000000000000001","identity":8,"title":"8.0","type":"real"}"#)
    #expect(
      try text(FeedSection(identity: .integer(8), title: "8", hash: 1))
        == #"{"hash":"0000000000000001","identity":8,"title":"8"}"#)
    // What 0.1.0 has written.
    let old = #"{"hash":"0000000000000001","identity":8,"title":"8.0"}"#
    #expect(
      try JSONDecoder().decode(FeedSection.self, from: Data(old.utf8)).identity == .integer(8))
  }

  @Test(arguments: TestStorage.withServer)
  func `F14: a page comes back as the server has it, and its sections are found by their ids`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore([Sample.self])
    try store.commit { draft in
      for (number, price) in Self.reals.enumerated() {
        try draft.insert(
          Sample(
            id: .init(weight: price, place: number), price: price,
            count: [0, 8, .max, .min][number % 4], isOpen: number.isMultiple(of: 2),
            title: "\(number)", blob: [UInt8(number), 0], mark: number % 3 == 0 ? nil : price,
            code: number % 5 == 0 ? .max : UInt64(number)))
      }
    }
    let byPrice = try FetchedObjectsModel(Query<Sample>().sectioned { $0.price }, in: store)
    let byCount = try FetchedObjectsModel(Query<Sample>().sectioned { $0.count }, in: store)
    let byTruth = try FetchedObjectsModel(Query<Sample>().sectioned { $0.isOpen }, in: store)
    let byBlob = try FetchedObjectsModel(Query<Sample>().sectioned { $0.blob }, in: store)
    for model in [byPrice, byCount, byTruth, byBlob] {
      let page: FeedPage<FeedValues> = model.feed(after: nil)
      let copied = try copy(page)
      #expect(copied == page)
      var client = FeedList<FeedValues>()
      try client.apply(copied)
      #expect(client.sections.map(\.header.identity) == model.sections.map(\.identity))
      for section in client.sections {
        let found = model.section(for: SectionID(identity: section.header.identity))
        #expect(found?.count == section.rows.count, "\(section.header.identity)")
        for row in section.rows { _ = try row.content.value(as: Sample.self) }
      }
      // What a client keeps and begins with again.
      #expect(try copy(client.page) == client.page)
    }
  }
}

@_spi(Storage) @testable import EntityStore
import TestSupport
import Testing

/// An object with a value of each type.
private struct Sample: Entity {
  let id: Int
  var whole: Int?
  var fraction: Double?
  var text: String?
  var bytes: [UInt8]?
  static let attributes = Attributes(
    .id(\Sample.id), .attribute("whole", \.whole), .attribute("fraction", \.fraction),
    .attribute("text", \.text), .attribute("bytes", \.bytes))
  static let schema = Schema(attributes, Sample.init)
}

private let least = -Double.infinity
private let belowWhole = Double(-0x1p63).nextDown
private let below0 = -Double.leastNonzeroMagnitude

/// Numbers in SQL's order, with a server's NaN behind them; neighbours may be equal.
private let numbers: [StoredValue] = [
  .real(least), .real(-1e300), .real(belowWhole), .integer(.min), .real(-0x1p63),
  .integer(-9_223_372_036_854_775_807), .real(-2.5), .integer(-2), .real(-2), .real(-0.5),
  .real(below0), .integer(0), .real(-0.0), .real(0), .integer(0), .real(.leastNonzeroMagnitude),
  .real(0.5), .real(1), .integer(1), .real(1), .real(1.5), .integer(2), .real(255.5),
  .integer(256), .real(0x1p53), .integer(9_007_199_254_740_992),
  .integer(9_007_199_254_740_993), .real(9_007_199_254_740_994),
  .integer(9_223_372_036_854_775_806), .integer(.max), .real(0x1p63), .real(1e300),
  .real(.infinity), .real(.nan),
]

private let texts = [
  "", "\u{0}", "A", "a", "aaaaaaaa", "aaaaaaaab", "é", "\u{FFFF}",
  "\u{10FFFF}\u{10FFFF}\u{10FFFF}",
].map { StoredValue.text($0) }

private let byteArrays: [[UInt8]] = [
  [], [0], [0, 0], [97], [255], Array(repeating: 255, count: 8), Array(repeating: 255, count: 9),
]
private let byteValues = byteArrays.map { StoredValue.bytes($0) }

/// All of them in SQL's order.
private let inOrder = numbers + texts + byteValues

private let lists: [StoredValue] = [
  .list([.integer(.min), .text("b")]), .list([.integer(-1), .text("")]),
  .list([.integer(0), .text("a")]), .list([.integer(0), .text("b")]),
  .list([.integer(.max), .text("a")]),
]

@Suite struct `The prefixes of values that another program may have written` {
  /// Expects that rows with these values have prefixes that never descend, in every order by a
  /// column.
  private func check(_ values: [StoredValue], _ type: StoredType, _ name: String) throws {
    let entity = Sample.schema.entity
    let column = try #require(entity.columns.firstIndex { $0.name == name })
    let expression = QueryExpression.attribute(
      AttributePath(root: entity, steps: [], column: column))
    let reversed: [StoredValue] = values.reversed()
    let null = [StoredValue.null]
    for isAscending in [true, false] {
      for nilsFirst in [true, false] {
        let key = SortKey(expression, isAscending: isAscending, nilsFirst: nilsFirst)
        let order = RowOrder([key], of: entity) { _ in 0 }
        let directed = isAscending ? values : reversed
        let rows = nilsFirst ? null + directed : directed + null
        let prefixes = rows.map { order.prefix(first: $0.nearest(of: type)) }
        for index in 1..<rows.count {
          expectTrue(
            prefixes[index - 1] <= prefixes[index],
            "\(rows[index - 1]) and \(rows[index]), ascending: \(isAscending), nil first: "
              + "\(nilsFirst)")
        }
      }
    }
  }

  @Test(
    arguments: [
      (StoredType.integer, "id"), (.integer, "whole"), (.real, "fraction"), (.text, "text"),
      (.bytes, "bytes"),
    ])
  func `F7: they have the order in which SQL gives the rows of a list that keeps only positions`(
    _ type: StoredType, _ name: String
  ) throws {
    try check(inOrder, type, name)
  }

  @Test func `F7: so have those of composite ids`() throws {
    // The expression doesn't matter for a list's prefix.
    try check(lists, .list, "whole")
    // A list without an order is in that of its ids.
    let order = RowOrder([], of: Sample.schema.entity) { _ in 0 }
    let prefixes = lists.map { order.prefix(first: $0) }
    #expect(prefixes == prefixes.sorted())
  }

  @Test func `a value of the type itself stays as it is`() {
    func check(_ values: [StoredValue], _ type: StoredType) {
      for value in values { expectEqual(value.nearest(of: type), value, "\(type)") }
    }
    for value in numbers where !value.isNaN {
      if case .integer = value { check([value], .integer) } else { check([value], .real) }
    }
    check(texts, .text)
    check(byteValues, .bytes)
    check(lists, .list)
    for type in [StoredType.integer, .real, .text, .bytes, .list] { check([.null], type) }
  }
}

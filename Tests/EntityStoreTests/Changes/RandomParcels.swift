@_spi(Storage) @testable import EntityStore
import TestSupport

/// Something with an attribute of every kind.
struct Parcel: Entity {
  let id: Int
  var weight: Int
  var limit: Int?
  var label: String
  var note: String?
  var price: Double?
  var isSent: Bool
  var seal: [UInt8]?
  static let attributes = Attributes(
    .id(\Parcel.id), .attribute("weight", \.weight), .attribute("limit", \.limit),
    .attribute("label", \.label), .attribute("note", \.note), .attribute("price", \.price),
    .attribute("isSent", \.isSent), .attribute("seal", \.seal))
  static let schema = Schema(attributes, Parcel.init)
}

/// Makes parcels and conditions on them, with the same few values again and again.
struct RandomParcels {
  var generator: SeededGenerator

  init(seed: Int) { generator = SeededGenerator(seed: seed) }

  private static let numbers = -1...4
  private static let texts = ["", "a", "ab", "b", "\u{E9}", "e\u{301}"]
  private static let reals: [Double] = [-1, -0.0, 0, 0.5, .infinity]
  private static let seals: [[UInt8]] = [[], [0], [1, 2]]

  private mutating func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element {
    elements[
      elements.index(
        elements.startIndex, offsetBy: Int.random(in: 0..<elements.count, using: &generator))]
  }

  mutating func parcel(_ id: Int? = nil) -> Parcel {
    Parcel(
      id: id ?? Int.random(in: 0..<10, using: &generator), weight: pick(Self.numbers),
      limit: generator.chance(0.3) ? nil : pick(Self.numbers), label: pick(Self.texts),
      note: generator.chance(0.3) ? nil : pick(Self.texts),
      price: generator.chance(0.3) ? nil : pick(Self.reals), isSent: generator.chance(0.5),
      seal: generator.chance(0.3) ? nil : pick(Self.seals))
  }

  // MARK: Conditions

  private mutating func attribute(_ type: StoredType? = nil) -> (QueryExpression, StoredType) {
    let entity = Parcel.schema.entity
    let columns = entity.columns.indices.filter { type == nil || entity.columns[$0].type == type }
    let column = pick(columns)
    return (
      .attribute(AttributePath(root: entity, steps: [], column: column)),
      entity.columns[column].type
    )
  }

  private mutating func constant(_ type: StoredType) -> StoredValue {
    switch type {
    case .integer: pick(Self.numbers).storedValue
    case .real: pick(Self.reals).storedValue
    case .text: .text(pick(Self.texts))
    default: .bytes(pick(Self.seals))
    }
  }

  mutating func condition(depth: Int) -> QueryExpression {
    switch Int.random(in: 0..<(depth > 0 ? 16 : 11), using: &generator) {
    case 0, 1, 2:
      let (attribute, type) = attribute()
      let value = generator.chance(0.2) ? .null : constant(type)
      return .comparison(generator.chance(0.7) ? .equal : .notEqual, attribute, .constant(value))
    case 3, 4:
      let (attribute, type) = attribute()
      let count = Int.random(in: 0...3, using: &generator)
      return .isIn(
        attribute, (0..<count).map { _ in generator.chance(0.1) ? .null : constant(type) })
    case 5, 6, 7:
      // A range, closed or open, from either side or both.
      let (attribute, type) = attribute()
      let lower = QueryExpression.comparison(
        pick([.greater, .greaterOrEqual]), attribute, .constant(constant(type)))
      let upper = QueryExpression.comparison(
        pick([.less, .lessOrEqual]), attribute, .constant(constant(type)))
      return pick([lower, upper, .and([lower, upper])])
    case 8:
      return .text(
        pick([.prefix, .suffix, .infix, .whole]), attribute(.text).0,
        part: .constant(constant(.text)), ignoring: [])
    case 9:
      let (first, type) = attribute()
      return .comparison(
        pick([.equal, .less, .greaterOrEqual]), first, attribute(type).0)
    case 10: return attribute(.integer).0
    case 11, 12, 13: return .and(parts(depth - 1))
    case 14: return .or(parts(depth - 1))
    default: return .not(condition(depth: depth - 1))
    }
  }

  private mutating func parts(_ depth: Int) -> [QueryExpression] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in condition(depth: depth) }
  }
}

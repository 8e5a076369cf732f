@_spi(Storage) @testable import EntityStore
import TestSupport

/// An entity with an index on everything, alone and together.
struct IndexedTwin: Entity {
  let id: Int
  var number: Int
  var maybe: Int?
  var real: Double?
  var text: String?
  var blob: [UInt8]?
  var flag: Bool
  var size: Int32?
  var wide: UInt64?
  var code: String?
  static let attributes = Attributes(
    .id(\IndexedTwin.id), .attribute("number", \.number), .attribute("maybe", \.maybe),
    .attribute("real", \.real), .attribute("text", \.text), .attribute("blob", \.blob),
    .attribute("flag", \.flag), .attribute("size", \.size), .attribute("wide", \.wide),
    .attribute("code", \.code))
  static let schema = Schema(
    attributes, IndexedTwin.init,
    rules: [
      .index(\.number), .index(\.maybe), .index(\.real), .index(\.text, \.maybe), .index(\.text),
      .index(\.blob), .index(\.flag), .index(\.size, \.number, \.text), .index(\.wide, \.size),
      .unique(\.code), .unique(\.number, \.code),
    ])
}

/// The same without a rule.
struct BareTwin: Entity {
  let id: Int
  var number: Int
  var maybe: Int?
  var real: Double?
  var text: String?
  var blob: [UInt8]?
  var flag: Bool
  var size: Int32?
  var wide: UInt64?
  var code: String?
  static let attributes = Attributes(
    .id(\BareTwin.id), .attribute("number", \.number), .attribute("maybe", \.maybe),
    .attribute("real", \.real), .attribute("text", \.text), .attribute("blob", \.blob),
    .attribute("flag", \.flag), .attribute("size", \.size), .attribute("wide", \.wide),
    .attribute("code", \.code))
  static let schema = Schema(attributes, BareTwin.init)
}

/// Makes values of the twins and conditions on them, from few enough for indexes to be of use.
struct RandomTwins {
  var random: SeededGenerator
  private let columns = IndexedTwin.schema.entity.columns

  init(seed: Int) { random = SeededGenerator(seed: seed) }

  mutating func chance(_ probability: Double) -> Bool { random.chance(probability) }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  /// The stored values of a twin.
  mutating func row(_ id: Int) -> [StoredValue] {
    columns.indices.map { column in
      switch columns[column].name {
      case "id": .integer(Int64(id))
      case "code": random.chance(0.3) ? .null : .text("code \(id)")
      default:
        columns[column].isOptional && random.chance(0.2) ? .null : value(column)
      }
    }
  }

  /// A value of a column, that isn't nil.
  mutating func value(_ column: Int) -> StoredValue {
    switch columns[column].name {
    case "flag": StoredValue(random.chance(0.9))
    case "size": .integer(Int64(Int32.random(in: -6...6, using: &random)) << 28)
    case "wide": RandomValues.integer(&random).magnitude.storedValue
    case "code": .text("code \(number(0..<100))")
    case "id": .integer(Int64(number(-1..<100)))
    default: RandomValues.value(columns[column].type, &random)
    }
  }

  /// The beginning of a text that a twin may have, or of none.
  private mutating func prefix() -> String {
    switch number(0..<5) {
    case 0: ""
    case 1: "code"
    case 2: "code 1"
    case 3: ["\u{10FFFF}", "a\u{10FFFF}", "\u{D7FF}", "\0"].randomElement(using: &random) ?? ""
    default:
      if case .text(let text) = RandomValues.value(.text, &random) {
        String(text.unicodeScalars.prefix(number(1..<4)))
      } else {
        ""
      }
    }
  }

  /// The first rows of an order by one or two attributes.
  mutating func part() -> TwinPart {
    let keys = (0..<number(1..<3)).map { _ in
      (number(0..<columns.count), random.chance(0.5), random.chance(0.5))
    }
    return TwinPart(keys: keys, limit: number(0..<4), offset: number(0..<3))
  }

  /// A condition on attributes of an object alone, as data for both twins.
  mutating func condition(depth: Int = 2) -> TwinCondition {
    let roll = number(0..<13)
    if depth > 0 && roll < 5 {
      let parts = (0..<number(0..<4)).map { _ in condition(depth: depth - 1) }
      switch roll {
      case 0, 1, 2: return TwinCondition { entity in .and(parts.map { $0.make(entity) }) }
      case 3: return TwinCondition { entity in .or(parts.map { $0.make(entity) }) }
      default:
        let part = condition(depth: depth - 1)
        return TwinCondition { entity in .not(part.make(entity)) }
      }
    }
    let column = number(0..<columns.count)
    @Sendable func attribute(_ entity: EntityDescription) -> QueryExpression {
      .attribute(AttributePath(root: entity, steps: [], column: column))
    }
    if roll == 5 || roll == 6 {
      let list = (0..<number(0..<5)).map { _ in
        random.chance(0.1) ? StoredValue.null : value(column)
      }
      return TwinCondition { entity in .isIn(attribute(entity), list + list.prefix(1)) }
    }
    func twin(_ name: String) -> Int { columns.firstIndex { $0.name == name } ?? 0 }
    if roll == 10 {
      // A truth is a condition.
      let (flag, isTrue) = (twin("flag"), random.chance(0.5))
      return TwinCondition { entity in
        let path = AttributePath(root: entity, steps: [], column: flag)
        return isTrue ? .attribute(path) : .not(.attribute(path))
      }
    }
    if roll == 11 {
      let (column, text) = (twin(random.chance(0.5) ? "text" : "code"), prefix())
      return TwinCondition { entity in
        .text(
          .prefix, .attribute(AttributePath(root: entity, steps: [], column: column)),
          part: .constant(.text(text)), ignoring: [])
      }
    }
    if roll == 12 {
      // A chain about one attribute is a list.
      let some = (0..<number(1..<4)).map { _ in
        random.chance(0.1) ? StoredValue.null : value(column)
      }
      return TwinCondition { entity in
        .or(some.map { .comparison(.equal, attribute(entity), .constant($0)) })
      }
    }
    let comparison =
      [Comparison.equal, .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .notEqual]
      .randomElement(using: &random) ?? .equal
    let constant = random.chance(0.05) ? .null : value(column)
    return TwinCondition { entity in
      .comparison(comparison, attribute(entity), .constant(constant))
    }
  }
}

/// A condition that can be asked of either twin.
struct TwinCondition: Sendable {
  let make: @Sendable (EntityDescription) -> QueryExpression

  func plan(_ entity: EntityDescription, first part: TwinPart? = nil) -> FetchPlan {
    var query = QueryDescription(entity: entity)
    query.filter = make(entity)
    if let part {
      query.limit = part.limit
      query.offset = part.offset
      query.orderings = part.keys.map { column, isAscending, nilsFirst in
        SortKey(
          .attribute(AttributePath(root: entity, steps: [], column: column)),
          isAscending: isAscending, nilsFirst: nilsFirst)
      }
    }
    return FetchPlan(query)
  }
}

/// An order, and which rows of it are asked for.
struct TwinPart: Sendable {
  let keys: [(column: Int, isAscending: Bool, nilsFirst: Bool)]
  let limit: Int
  let offset: Int
}

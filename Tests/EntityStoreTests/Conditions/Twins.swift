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

  /// A condition on attributes of an object alone, as data for both twins.
  mutating func condition(depth: Int = 2) -> TwinCondition {
    let roll = number(0..<10)
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

  func plan(_ entity: EntityDescription) -> FetchPlan {
    var query = QueryDescription(entity: entity)
    query.filter = make(entity)
    return FetchPlan(query)
  }
}

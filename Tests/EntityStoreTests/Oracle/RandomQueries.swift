@_spi(Storage) @testable import EntityStore
import TestSupport

/// Makes queries: every operator, through references and to-many, three levels deep.
struct RandomQueries {
  let entities: [EntityDescription]
  var generator: SeededGenerator
  /// Values that are there, by type; conditions compare with them half of the time.
  var known: [StoredType: [StoredValue]] = [:]

  init(entities: [EntityDescription], generator: SeededGenerator, world: World = World()) {
    self.entities = entities
    self.generator = generator
    for entity in entities {
      for row in world.rows(of: entity) {
        for (column, value) in zip(entity.columns, row) where !value.isNull {
          known[column.type, default: []].append(value)
        }
      }
    }
  }

  private var types: [StoredType] {
    let hasLists = entities.contains { $0.columns.contains { $0.type == .list } }
    return [.integer, .real, .text, .bytes] + (hasLists ? [.list] : [])
  }

  mutating func plan() -> FetchPlan {
    let entity = pick(entities)
    var query = QueryDescription(entity: entity)
    if generator.chance(0.9) { query.filter = condition(on: entity, depth: 3) }
    query.orderings = (0..<Int.random(in: 0...3, using: &generator)).map { _ in sortKey(entity) }
    if generator.chance(0.2) { query.sectioning = sectioning(entity, query.orderings.first) }
    if generator.chance(0.2) { query.limit = Int.random(in: 0...6, using: &generator) }
    if generator.chance(0.1) { query.offset = Int.random(in: 0...4, using: &generator) }
    let values = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
      value(on: entity, of: nil, depth: 2)
    }
    return FetchPlan(query, values: values)
  }

  private mutating func sectioning(_ entity: EntityDescription, _ first: SortKey?)
    -> QueryDescription.Sectioning
  {
    if let first, generator.chance(0.3) { return .key(first.expression) }
    let identity = value(on: entity, of: nil, depth: 1)
    return generator.chance(0.5)
      ? .key(identity) : .parts(identity: identity, title: identity, order: sortKey(entity))
  }

  /// By what comes last in the stored form.
  private static let backwards = CustomCollation(name: "backwards") { a, b in
    let (x, y) = ("\(a)".utf8.reversed(), "\(b)".utf8.reversed())
    return x.lexicographicallyPrecedes(y) ? -1 : y.lexicographicallyPrecedes(x) ? 1 : 0
  }

  private mutating func sortKey(_ entity: EntityDescription) -> SortKey {
    let isAscending = Bool.random(using: &generator)
    let nilsFirst = Bool.random(using: &generator)
    return SortKey(
      value(on: entity, of: nil, depth: 2), isAscending: isAscending, nilsFirst: nilsFirst,
      collation: generator.chance(0.2)
        ? pick([.natural, .caseInsensitive, .custom(Self.backwards)]) : .stored)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }

  private mutating func steps(from entity: EntityDescription) -> [ReferenceStep] {
    var steps: [ReferenceStep] = []
    var entity = entity
    while generator.chance(0.35), steps.count < 3, !entity.references.isEmpty {
      let step = ReferenceStep(source: entity, column: pick(entity.references))
      steps.append(step)
      entity = step.target
    }
    return steps
  }

  /// An attribute, a count, a condition or a constant, of a type if one is asked for.
  private mutating func value(on entity: EntityDescription, of type: StoredType?, depth: Int)
    -> QueryExpression
  {
    let roll = Int.random(in: 0..<10, using: &generator)
    if roll == 0, type == nil || type == .integer, depth > 0 {
      return count(on: entity, depth: depth - 1)
    }
    if roll == 3, depth > 0 { return related(on: entity, of: type, depth: depth - 1) }
    if roll >= 8, depth > 0 { return computed(on: entity, of: type, depth: depth - 1) }
    if roll == 1, type == nil || type == .integer, depth > 0 {
      return condition(on: entity, depth: depth - 1)
    }
    if roll == 2, let type { return .constant(constant(type)) }
    for _ in 0..<10 {
      let steps = steps(from: entity)
      let target = steps.last?.target ?? entity
      var places = target.columns.indices.map { (column: $0, part: Int?.none) }
      for (index, column) in target.columns.enumerated() {
        places += column.ownParts.indices.map { (index, $0) }
      }
      places = places.filter { place in
        let column = target.columns[place.column]
        return type == nil || (place.part.map { column.parts[$0].type } ?? column.type) == type
      }
      if places.isEmpty { continue }
      let place = pick(places)
      return .attribute(
        AttributePath(root: entity, steps: steps, column: place.column, part: place.part))
    }
    return .constant(type.map { constant($0) } ?? .null)
  }

  private mutating func computed(on entity: EntityDescription, of type: StoredType?, depth: Int)
    -> QueryExpression
  {
    let type = type ?? pick(types)
    var computations: [Computation] = [.firstValue]
    switch type {
    case .integer: computations += [.plus, .minus, .times, .dividedBy]
    case .real: computations += [.plus, .minus, .times, .dividedBy, .real]
    case .text:
      let length = Int.random(in: 0...3, using: &generator)
      computations += [.lowercased, .uppercased, .prefix(length), .text, .joined, .joined]
    case .bytes: break
    case .list: return .constant(constant(type))
    }
    let computation = pick(computations)
    switch computation {
    case .real, .text:
      return .computed(computation, [value(on: entity, of: .integer, depth: depth)])
    case .lowercased, .uppercased, .prefix:
      return .computed(computation, [value(on: entity, of: .text, depth: depth)])
    default:
      return .computed(
        computation, (0..<2).map { _ in value(on: entity, of: type, depth: depth) })
    }
  }

  private mutating func many(from entity: EntityDescription) -> ManyPath? {
    let steps = steps(from: entity)
    let owner = steps.last?.target ?? entity
    let manys = entities.flatMap { other in
      other.references.filter { other.columns[$0].reference?.target == owner }.map { (other, $0) }
    }
    guard !manys.isEmpty else { return nil }
    let (target, column) = pick(manys)
    return ManyPath(root: entity, steps: steps, target: target, column: column)
  }

  private mutating func count(on entity: EntityDescription, depth: Int) -> QueryExpression {
    guard let path = many(from: entity) else { return .constant(.integer(0)) }
    let isConditional = depth > 0 && generator.chance(0.7)
    return .count(path, where: isConditional ? condition(on: path.target, depth: depth - 1) : nil)
  }

  /// An aggregate of several objects; whole numbers that are added up are small.
  private mutating func related(
    on entity: EntityDescription, of type: StoredType?, depth: Int
  ) -> QueryExpression {
    guard let path = many(from: entity) else {
      return .constant(type.map { constant($0) } ?? .null)
    }
    var aggregates: [RelatedAggregate] = [.least, .greatest]
    if type == nil || type == .integer { aggregates += [.wholeSum, .wholeSum] }
    if type == nil || type == .real { aggregates += [.realSum, .average, .average] }
    let aggregate = pick(aggregates)
    let isSmall = aggregate == .wholeSum || aggregate == .average && generator.chance(0.5)
    let value =
      isSmall
      ? count(on: path.target, depth: depth - 1)
      : value(
        on: path.target, of: [.least, .greatest].contains(aggregate) ? type : .real, depth: depth)
    let isConditional = depth > 0 && generator.chance(0.4)
    return .related(
      aggregate, path, of: value,
      where: isConditional ? condition(on: path.target, depth: depth - 1) : nil)
  }

  mutating func condition(on entity: EntityDescription, depth: Int) -> QueryExpression {
    if depth > 0, generator.chance(0.005) { return deepCondition(on: entity) }
    let roll = Int.random(in: 0..<12, using: &generator)
    if depth > 0 {
      switch roll {
      case 0, 1: return .and(parts(on: entity, depth: depth - 1))
      case 2, 3: return .or(parts(on: entity, depth: depth - 1))
      case 4: return .not(condition(on: entity, depth: depth - 1))
      default: break
      }
    }
    let type = pick(types)
    switch roll {
    case 5:
      let count = listLength()
      return .isIn(
        value(on: entity, of: type, depth: depth), (0..<count).map { _ in constant(type) })
    case 6, 7:
      return .text(
        pick([.prefix, .suffix, .infix, .whole]), value(on: entity, of: .text, depth: depth),
        part: .constant(.text(HostileText.random(&generator))),
        ignoring: TextFolding(rawValue: UInt8(max(0, Int.random(in: -4...3, using: &generator)))))
    case 8: return value(on: entity, of: .integer, depth: depth)
    default:
      let comparison = pick([
        Comparison.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
      ])
      let left = value(on: entity, of: type, depth: depth)
      let right =
        generator.chance(0.3)
        ? value(on: entity, of: type, depth: depth) : .constant(constant(type))
      return .comparison(comparison, left, right)
    }
  }

  /// Mostly short; sometimes longer than SQL is given, and than it would take.
  private mutating func listLength() -> Int {
    if generator.chance(0.002) { return 33_000 }
    return generator.chance(0.05)
      ? pick([499, 500, 501]) : Int.random(in: 0...4, using: &generator)
  }

  /// A condition in a condition in a condition, up to 200 levels.
  private mutating func deepCondition(on entity: EntityDescription) -> QueryExpression {
    (0..<Int.random(in: 1...200, using: &generator)).reduce(condition(on: entity, depth: 0)) {
      inner, _ in
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: .and([condition(on: entity, depth: 0), inner])
      case 1: .or([inner, condition(on: entity, depth: 0)])
      case 2: .comparison(.equal, inner, .constant(StoredValue(true)))
      default: .not(inner)
      }
    }
  }

  private mutating func parts(on entity: EntityDescription, depth: Int) -> [QueryExpression] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      condition(on: entity, depth: depth)
    }
  }

  private mutating func constant(_ type: StoredType) -> StoredValue {
    if generator.chance(0.1) { return .null }
    if generator.chance(0.5), let known = known[type]?.randomElement(using: &generator) {
      return known
    }
    return RandomValues.value(type, &generator)
  }
}

/// Makes values, extremes more often than not.
enum RandomValues {
  static let integers: [Int64] = [
    .min, .min + 1, -1 << 53, -1, 0, 1, 2, 3, 7, 1 << 53, (1 << 53) + 1, .max - 1, .max,
  ]
  static let reals: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, -0.0, 0,
    .leastNonzeroMagnitude, 0.1, 1, 2, 1e15, 9_007_199_254_740_992, 1e300, .infinity,
  ]
  static let bytes: [[UInt8]] = [[], [0], [0, 0], [1], [0x61], [0xFF], [0xFF, 0], [0xC3, 0xA9]]

  static func integer(_ generator: inout SeededGenerator) -> Int {
    Int(integers.randomElement(using: &generator) ?? 0)
  }

  static func real(_ generator: inout SeededGenerator) -> Double {
    reals.randomElement(using: &generator) ?? 0
  }

  static func blob(_ generator: inout SeededGenerator) -> [UInt8] {
    bytes.randomElement(using: &generator) ?? []
  }

  static func value(_ type: StoredType, _ generator: inout SeededGenerator) -> StoredValue {
    switch type {
    case .integer: integer(&generator).storedValue
    case .real: real(&generator).storedValue
    case .text: .text(HostileText.random(&generator))
    case .bytes: .bytes(blob(&generator))
    case .list: .list([.text(HostileText.random(&generator)), integer(&generator).storedValue])
    }
  }
}

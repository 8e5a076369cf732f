@_spi(Storage) @testable import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport

/// The objects of a museum, drawn at random from values that trip.
struct RandomMuseum {
  var random: SeededGenerator
  private(set) var curios: [Curio] = []
  private(set) var finders: [Finder] = []
  private(set) var halls: [Hall] = []

  static let entities = [Curio.schema.entity, Finder.schema.entity, Hall.schema.entity]

  static let dates: [Date] = [
    .distantPast, .distantFuture, Date(timeIntervalSince1970: 0),
    Date(timeIntervalSince1970: -0.25), Date(timeIntervalSinceReferenceDate: 1e9),
    Date(timeIntervalSince1970: 1e300),
  ]
  static let decimals: [Decimal] = [
    0, 1, -1, 9, 10, -9, -10, Decimal(string: "0.1") ?? 0, Decimal(string: "-0.01") ?? 0,
    .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude,
    Decimal(string: "12345678901234567890123456789012345678") ?? 0,
  ]
  static let stories: [Curio.Story] = [
    .init(lines: []), .init(lines: [nul, "\"", "e\u{301}"], page: .max),
    .init(lines: [""], page: 0),
  ]

  init(seed: Int, size: Int = 14) {
    random = SeededGenerator(seed: seed)
    let halls = Set(Self.dates.prefix(4))
    self.halls = halls.sorted().map {
      Hall(id: $0, floor: maybe { Int8.random(in: -1...1, using: &$0) }, wing: pick([0, 1, .max]))
    }
    for number in 0..<size / 2 { finders.append(finder(number)) }
    for _ in 0..<size {
      let curio = curio()
      if !curios.contains(where: { Ref($0) == Ref(curio) }) { curios.append(curio) }
    }
  }

  /// The same as a plain world.
  var world: World {
    var world = World()
    let rows =
      curios.map { EntityRow($0) } + finders.map { EntityRow($0) } + halls.map { EntityRow($0) }
    for row in rows { world.set(row.values, of: row.entity) }
    return world
  }

  func fill(_ store: Store) throws {
    try store.commit { draft in
      try draft.insert(contentsOf: curios)
      try draft.insert(contentsOf: finders)
      try draft.insert(contentsOf: halls)
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private mutating func maybe<Value>(_ make: (inout SeededGenerator) -> Value) -> Value? {
    random.chance(0.25) ? nil : make(&random)
  }

  private mutating func maybe<Value>(_ values: [Value]) -> Value? {
    random.chance(0.25) ? nil : pick(values)
  }

  private mutating func id() -> Curio.ID {
    Curio.ID(
      room: pick(["", "a", "e\u{301}", "\u{E9}", nul]), number: pick([.min, -1, 0, 1, .max]))
  }

  private static func uuid(_ number: Int) -> UUID {
    let byte = UInt8(truncatingIfNeeded: number &* 53)
    return UUID(uuid: (byte, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, byte))
  }

  private mutating func finder(_ number: Int) -> Finder {
    Finder(
      id: Self.uuid(number), name: HostileText.random(&random), age: pick([.min, -1, 0, 1, .max]),
      since: maybe(Self.dates),
      mentor: maybe(finders.isEmpty ? [Ref(Self.uuid(number))] : finders.map { Ref($0) }),
      favourite: random.chance(0.25) ? nil : Ref(id()), hall: maybe(Self.dates.map { Ref($0) }))
  }

  private mutating func curio() -> Curio {
    let id = id()
    let wide: UInt64? = maybe([0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max])
    let number = Int.random(in: 0..<4, using: &random)
    return Curio(
      id: id, label: maybe { HostileText.random(&$0) }, weight: maybe { RandomValues.real(&$0) },
      made: maybe(Self.dates), token: maybe([Self.uuid(0), Self.uuid(1), Self.uuid(number)]),
      grade: maybe(Curio.Grade.allCases), isLent: maybe([true, false]), wide: wide,
      price: maybe(Self.decimals), story: maybe(Self.stories),
      image: maybe(RandomValues.bytes.map { Data($0) }),
      ratio: pick([
        -.infinity, .infinity, -1, -0.0, 0, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      ]),
      size: RandomValues.integer(&random),
      box: maybe(curios.isEmpty ? [Ref(id)] : curios.map { Ref($0) }),
      pair: random.chance(0.25) ? nil : Ref(self.id()), finder: maybe(finders.map { Ref($0) }))
  }
}

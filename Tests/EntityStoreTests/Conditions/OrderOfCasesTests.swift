import EntityStore
import TestSupport
import Testing

/// The raw values are in another order than the cases.
private enum Urgency: String, Storable, CaseIterable, Comparable {
  case low, medium, high

  static func < (a: Urgency, b: Urgency) -> Bool {
    (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
  }
}

private enum Level: Int, Storable, CaseIterable, Comparable {
  case low = 1
  case medium, high

  static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
}

private struct Chore: Entity {
  let id: Int
  var urgency: Urgency
  var level: Level
  var worst: Urgency?
  var whole: Ref<Chore>?
  static let attributes = Attributes(
    .id(\Chore.id), .attribute("urgency", \.urgency), .attribute("level", \.level),
    .attribute("worst", \.worst), .one("whole", \.whole, inverse: \.parts))
  static let schema = Schema(attributes, Chore.init)
}

extension Chore {
  fileprivate var parts: Many<Chore, Chore> { Many(\.whole) }
}

/// It has no raw values, and its stored forms are in another order than its cases.
private enum Alarm: Storable, CaseIterable, Comparable {
  case low, medium, high

  static let storedType = StoredType.text

  init(storedValue: StoredValue) throws {
    guard let found = Self.allCases.first(where: { $0.storedValue == storedValue }) else {
      throw StoredValue.Mismatch(storedValue, type: Self.self)
    }
    self = found
  }

  var storedValue: StoredValue { .text("\(self)") }
}

private struct Bell: Entity {
  let id: Int
  var alarm: Alarm
  static let attributes = Attributes(.id(\Bell.id), .attribute("alarm", \.alarm))
  static let schema = Schema(attributes, Bell.init)
}

/// Two cases are equal in its order.
private enum BoxSize: String, Storable, CaseIterable, Comparable {
  case large, small, tiny

  static func < (a: BoxSize, b: BoxSize) -> Bool { a == .large && b != .large }
}

private struct Box: Entity {
  let id: Int
  var size: BoxSize
  static let attributes = Attributes(.id(\Box.id), .attribute("size", \.size))
  static let schema = Schema(attributes, Box.init)
}

/// The uses of an order, each of which traps.
private enum Use: Int, CaseIterable, Codable, Sendable {
  case sort, sortDown, compare, compareOptional, compareFields, range, sections, related
  case sortAgain

  func make() -> Query<Chore> {
    let query = Query<Chore>()
    return switch self {
    case .sort: query.sorted { [$0.urgency.ascending] }
    case .sortDown: query.sorted { [$0.worst.descending] }
    case .compare: query.filter { $0.urgency > .low }
    case .compareOptional: query.filter { .medium <= $0.worst }
    case .compareFields: query.filter { $0.urgency < $0.worst }
    case .range: query.filter { $0.urgency.in(.low ... .high) }
    case .sections: query.sectioned { $0.urgency }
    case .sortAgain:
      // While the field is the first of the order, its sections are in the order of the comparator.
      query.sorted { [$0.urgency.ascending(by: ValueComparator("urgency") { $0 < $1 })] }
        .sectioned { $0.urgency }.sorted { [$0.id.ascending] }
    case .related: query.sorted { [$0.parts.max { $0.urgency }.ascending] }
    }
  }
}

@Suite struct `The order of an enum in queries` {
  @Test(arguments: Use.allCases)
  fileprivate func `S6: a < that isn't the order of the raw values traps`(_ use: Use) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [number = use.rawValue as Int] in
      _ = Use(rawValue: number)?.make()
    }
    trap.expectMessage(
      "Urgency is ordered by its raw values in queries, where high comes before low")
  }

  @Test func `S8: with raw values in its order, an enum is sorted and compared by them`() throws {
    let store = try Store(.inMemory, entities: [Chore.self])
    try store.commit { draft in
      for (id, level) in [Level.medium, .high, .low].enumerated() {
        try draft.insert(Chore(id: id, urgency: .low, level: level, worst: nil, whole: nil))
      }
    }
    let query = Query<Chore>().filter { $0.level > .low }.sorted { [$0.level.descending] }
    #expect(try store.fetch(query).map(\.level) == [.high, .medium])
    // Equality needs no order.
    #expect(try store.count(Query<Chore>().filter { $0.urgency == .low && $0.worst.isNil }) == 3)
  }

  @Test func `S8: an order by a comparator is the one that it says`() throws {
    let store = try Store(.inMemory, entities: [Chore.self])
    try store.commit { draft in
      for (id, urgency) in [Urgency.medium, .high, .low].enumerated() {
        try draft.insert(Chore(id: id, urgency: urgency, level: .low, worst: nil, whole: nil))
      }
    }
    let byUrgency = ValueComparator<Urgency>("urgency") { $0 < $1 }
    let query = Query<Chore>().sorted { [$0.urgency.descending(by: byUrgency)] }
    #expect(try store.fetch(query).map(\.urgency) == [.high, .medium, .low])
    // Its sections are in that order, too.
    let sectioned = query.sectioned { $0.urgency }
    #expect(try store.fetch(sectioned).map(\.urgency) == [.high, .medium, .low])
  }

  @Test func `S8: cases that are equal in the order may be in any`() throws {
    let store = try Store(.inMemory, entities: [Box.self])
    try store.commit { draft in
      for (id, size) in [BoxSize.tiny, .large, .small].enumerated() {
        try draft.insert(Box(id: id, size: size))
      }
    }
    #expect(
      try store.fetch(Query<Box>().sorted { [$0.size.ascending] }).map(\.size)
        == [.large, .small, .tiny])
  }

  @Test func `S8: an enum without raw values traps in the same way`() async throws {
    let sorting = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Query<Bell>().sorted { [$0.alarm.ascending] } }
    sorting.expectMessage("Alarm is ordered by its stored forms in queries")
    let comparing = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Query<Bell>().filter { $0.alarm >= .medium } }
    comparing.expectMessage("Alarm is ordered by its stored forms in queries")
  }

  @Test(arguments: 0..<4)
  func `S8: to ask for the least or the greatest value of such an enum traps`(
    _ use: Int
  ) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [use = use as Int] in
      let store = try Store(.inMemory, entities: [Chore.self])
      let all = Query<Chore>()
      switch use {
      case 0: _ = try store.min(of: all) { $0.urgency }
      case 1: _ = try store.max(of: all) { $0.urgency }
      case 2: _ = all.including { $0.parts.min { $0.urgency } }
      default: _ = all.including { $0.parts.max { $0.urgency } }
      }
    }
    trap.expectMessage(
      "Urgency is ordered by its raw values in queries, where high comes before low")
  }
}

@_spi(Storage) @testable import EntityStore
import TestSupport
import Testing

@Suite struct `An index of guards agrees with a scan of all guards` {
  /// Values of all types, with ends that meet; they are not many, so that they often do.
  private static let values: [StoredValue] =
    (-2...5).map { .integer($0) }
    + [
      .integer(.min), .integer(.max), .real(-.infinity), .real(-0.0), .real(0), .real(0.5),
      .real(.infinity), .text(""), .text("a"), .text("\u{E9}"), .text("e\u{301}"), .bytes([]),
      .bytes([0]), .list([.integer(1), .text("a")]),
    ]

  private static func bounds(_ generator: inout SeededGenerator) -> ValueBounds {
    func bound() -> ValueBounds.Bound? {
      guard generator.chance(0.8) else { return nil }
      // Mostly of one type; now and then reversed, empty, or of two types.
      let value =
        generator.chance(0.8)
        ? values[Int.random(in: 0..<8, using: &generator)]
        : values.randomElement(using: &generator) ?? .null
      return ValueBounds.Bound(value: value, isIncluded: generator.chance(0.5))
    }
    return ValueBounds(lower: bound(), upper: bound())
  }

  /// The order of any two values, written once more: by type, and then within it.
  private static func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
    func rank(_ value: StoredValue) -> Int {
      switch value {
      case .null: 0
      case .integer: 1
      case .real: 2
      case .text: 3
      case .bytes: 4
      case .list: 5
      }
    }
    if case .list = a, case .list = b { return 0 }
    return rank(a) == rank(b) ? Plain.compare(a, b) : rank(a) - rank(b)
  }

  private static func contains(_ bounds: ValueBounds, _ value: StoredValue) -> Bool {
    let lower = bounds.lower.map { (compare(value, $0.value), $0.isIncluded) }
    let upper = bounds.upper.map { (compare($0.value, value), $0.isIncluded) }
    return [lower, upper].compactMap { $0 }.allSatisfy { $0 > 0 || ($0 == 0 && $1) }
  }

  @Test(.oneThread)
  func `Intervals that contain a value are found once each, after any inserts and removals`() {
    withEvery("seed", in: seeds(300)) { seed in
      var generator = SeededGenerator(seed: seed)
      var index = IntervalIndex()
      var plain: [Int: ValueBounds] = [:]
      var next = 0
      // Few, some, and so many that they are sorted in and, when half have gone, sorted anew.
      let most = [8, 40, 200][seed % 3]
      for step in 0..<most * 3 {
        if generator.chance(step / most % 2 == 0 ? 0.8 : 0.3) {
          next += 1
          plain[next] = Self.bounds(&generator)
          plain[next].map { index.insert($0, next) }
        } else if let number = plain.keys.sorted().randomElement(using: &generator) {
          index.remove(number)
          plain[number] = nil
        }
        guard generator.chance(seed % 2 == 0 ? 0.3 : 0.03) else { continue }
        let value = Self.values.randomElement(using: &generator) ?? .null
        var found: [Int] = []
        index.forEach(containing: value) { found.append($0) }
        let expected = plain.filter { Self.contains($0.value, value) }.keys.sorted()
        expectEqual(found.sorted(), expected, "for \(value) at step \(step)")
      }
      expectEqual(index.isEmpty, plain.isEmpty)
    }
  }

  @Test func `All ranges between four values find all values`() {
    // Every set of ends, as one index.
    let ends: [StoredValue] = (0..<4).map { .integer(Int64($0)) }
    let bounds: [ValueBounds.Bound?] =
      ends.flatMap { end in
        [true, false].map { ValueBounds.Bound(value: end, isIncluded: $0) }
      } + [nil]
    var index = IntervalIndex()
    var all: [ValueBounds] = []
    for lower in bounds {
      for upper in bounds {
        index.insert(ValueBounds(lower: lower, upper: upper), all.count)
        all.append(ValueBounds(lower: lower, upper: upper))
      }
    }
    withEvery("value", in: -1...4) { number in
      let value = StoredValue.integer(Int64(number))
      var found: [Int] = []
      index.forEach(containing: value) { found.append($0) }
      expectEqual(found.sorted(), all.indices.filter { Self.contains(all[$0], value) })
    }
  }

  @Test func `Guards of values and of ranges that a value passes are found once each`() {
    withEvery("seed", in: seeds(200)) { seed in
      var generator = SeededGenerator(seed: seed)
      var index = PredicateIndex()
      var plain: [Int: WatchedPredicate.Kind] = [:]
      for number in 0..<120 {
        if generator.chance(0.6) {
          let kind: WatchedPredicate.Kind
          if generator.chance(0.5) {
            let count = Int.random(in: 0...4, using: &generator)
            kind = .values(
              Set(
                (0..<count).compactMap { _ in
                  (Self.values + [.null]).randomElement(using: &generator)
                }))
          } else {
            kind = .bounds(Self.bounds(&generator))
          }
          index.insert(kind, number)
          plain[number] = kind
        } else if let number = plain.keys.sorted().randomElement(using: &generator) {
          plain.removeValue(forKey: number).map { index.remove($0, number) }
        }
        let value = (Self.values + [.null]).randomElement(using: &generator) ?? .null
        var found: [Int] = []
        index.forEach(passing: value) { found.append($0) }
        let expected = plain.filter {
          switch $0.value {
          case .values(let values): values.contains(value)
          case .bounds(let bounds): !value.isNull && Self.contains(bounds, value)
          }
        }
        expectEqual(found.sorted(), expected.keys.sorted(), "for \(value)")
      }
      for (number, kind) in plain { index.remove(kind, number) }
      expectTrue(index.isEmpty)
    }
  }

  @Test func `F12: of several attributes the narrowest is the guard, wherever it stands`() {
    func name(_ condition: (Row<Parcel, Parcel>) -> Condition<Parcel>) -> String? {
      let query = Query<Parcel>().filter { condition($0) }
      let found = query.description.filter.flatMap { WatchedPredicate($0) }
      return found.map { Parcel.schema.entity.columns[$0.column].name }
    }
    // Of ids, values, ranges, and then what most objects have.
    #expect(name { $0.weight == 1 && $0.id == 3 } == "id")
    #expect(name { $0.weight == 1 && $0.id.in([3, 4]) } == "id")
    #expect(name { $0.id.in(Array(0..<100)) && $0.weight == 1 } == "weight")
    #expect(name { $0.limit == nil && $0.label == "a" } == "label")
    #expect(name { $0.isSent == false && $0.seal == [1] } == "seal")
    #expect(name { $0.weight >= 1 && $0.weight < 9 && $0.label == "a" } == "label")
    #expect(name { $0.isSent == false && $0.price >= 1 && $0.price < 2 } == "price")
    #expect(name { $0.weight > 1 && $0.isSent == false } == "isSent")
    #expect(name { $0.weight == 1 && $0.label == "a" } == "weight")
    #expect(name { $0.weight > 1 || $0.isSent == false } == nil)
  }

  @Test func `An object that meets a condition passes the condition's guard`() {
    let entity = Parcel.schema.entity
    var guarded = 0
    withEvery("seed", in: 0..<3000) { seed in
      var parcels = RandomParcels(seed: seed)
      let condition = parcels.condition(depth: 3)
      guard let changeGuard = WatchedPredicate(condition) else { return }
      guarded += 1
      for _ in 0..<10 {
        let row = EntityRow(parcels.parcel()).values
        guard Plain.isTrue(World().evaluate(condition, row, entity)) else { continue }
        let value = row[changeGuard.column]
        switch changeGuard.kind {
        case .values(let values): expectTrue(values.contains(value), condition.description)
        case .bounds(let bounds):
          expectTrue(!value.isNull && Self.contains(bounds, value), condition.description)
        }
      }
    }
    #expect(guarded > 1000)
  }
}

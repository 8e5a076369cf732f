import EntityStore
import Fixtures
import TestSupport
import Testing

/// Samplers of some values of one type in a store, and the same in plain arrays.
struct Sampled<Value: Storable> {
  let store: Store
  private let path: WritableKeyPath<Sampler, Value>
  private let maybe: WritableKeyPath<MaybeSampler, Value?>
  private let order: PlainOrder<Value>
  private let values: [Value]
  /// What the samplers have, by id: every value twice, in a random order.
  private let all: [Value]
  /// The same, and nil twice.
  private let some: [Value?]

  init(
    _ storage: TestStorage, _ path: WritableKeyPath<Sampler, Value>,
    _ maybe: WritableKeyPath<MaybeSampler, Value?>, _ values: [Value], _ order: PlainOrder<Value>
  ) throws {
    var generator = SeededGenerator(seed: values.count)
    all = (values + values).shuffled(using: &generator)
    some = (values + [nil] + values + [nil]).shuffled(using: &generator)
    store = try storage.makeStore(Sampler.self, MaybeSampler.self)
    self.path = path
    self.maybe = maybe
    self.order = order
    self.values = values
    try store.commit { draft in
      for (id, value) in all.enumerated() {
        var sampler = Sampler(id: id)
        sampler[keyPath: path] = value
        try draft.insert(sampler)
      }
      for (id, value) in some.enumerated() {
        var sampler = MaybeSampler(id: id)
        sampler[keyPath: maybe] = value
        try draft.insert(sampler)
      }
    }
  }

  private func field(_ row: Row<Sampler, Sampler>) -> Field<Sampler, Value> {
    row[dynamicMember: path]
  }

  private func field(_ row: Row<MaybeSampler, MaybeSampler>) -> Field<MaybeSampler, Value> {
    row[dynamicMember: maybe]
  }

  /// Expects that both conditions find the values for which `isFound` is true.
  private func expect(
    _ label: String, _ isFound: (Value?) -> Bool,
    _ condition: (Field<Sampler, Value>) -> Condition<Sampler>,
    _ maybe: (Field<MaybeSampler, Value>) -> Condition<MaybeSampler>
  ) throws {
    let query = Query<Sampler>().filter { condition(field($0)) }
    expectEqual(try store.fetch(query).map(\.id), all.indices.filter { isFound(all[$0]) }, label)
    expectEqual(try store.count(query), all.count(where: isFound), label)
    let other = Query<MaybeSampler>().filter { maybe(field($0)) }
    expectEqual(
      try store.fetch(other).map(\.id), some.indices.filter { isFound(some[$0]) }, "\(label)?")
    expectEqual(try store.count(other), some.count(where: isFound), "\(label)?")
  }

  /// Checks what every type has.
  func check() throws {
    for (id, value) in all.enumerated() {
      let found = try #require(try store.find(Sampler.self, id))
      expectEqual(found[keyPath: path].storedValue, value.storedValue)
    }
    for (id, value) in some.enumerated() {
      let found = try #require(try store.find(MaybeSampler.self, id))
      expectEqual(found[keyPath: maybe].storedValue, value.storedValue)
    }
    try checkEquality()
    try checkOrder()
    try checkExtremes()
  }

  private func checkEquality() throws {
    func same(_ a: Value?, _ b: Value) -> Bool { a.map { order.isSame($0, b) } ?? false }
    try withEvery("value", in: values) { value in
      try expect("==", { same($0, value) }, { $0 == value }, { $0 == value })
      try expect("!=", { !same($0, value) }, { $0 != value }, { $0 != value })
    }
    var generator = SeededGenerator(number: 1)
    for size in [0, 1, 2, values.count] {
      let list = Array(values.shuffled(using: &generator).prefix(size))
      func isListed(_ value: Value?) -> Bool { list.contains { same(value, $0) } }
      try expect("in \(list)", isListed, { list.contains($0) }, { list.contains($0) })
      try expect(
        "not in \(list)", { !isListed($0) }, { !list.contains($0) }, { !list.contains($0) })
    }
    try expect("nil", { $0 == nil }, { $0.isNil }, { $0 == nil })
    try expect("not nil", { $0 != nil }, { $0 != nil }, { !$0.isNil })
  }

  private func checkOrder() throws {
    func sorted<Element>(_ values: [Element], _ precedes: (Element, Element) -> Bool) -> [Int] {
      values.indices.sorted { a, b in
        if precedes(values[a], values[b]) { return true }
        return !precedes(values[b], values[a]) && a < b
      }
    }
    let query = Query<Sampler>()
    expectEqual(
      try store.fetch(query.sorted { [field($0).ascending] }).map(\.id),
      sorted(all) { order.precedes($0, $1) })
    expectEqual(
      try store.fetch(query.sorted { [field($0).descending] }).map(\.id),
      sorted(all) { order.precedes($1, $0) })
    let other = Query<MaybeSampler>()
    expectEqual(
      try store.fetch(other.sorted { [field($0).ascending] }).map(\.id),
      sorted(some) { order.precedes($0, $1) })
    expectEqual(
      try store.fetch(other.sorted { [field($0).descending] }).map(\.id),
      sorted(some) { order.precedes($1, $0) })
  }

  private func checkExtremes() throws {
    let smallest = all.min { order.precedes($0, $1) }?.storedValue
    let largest = all.max { order.precedes($0, $1) }?.storedValue
    let query = Query<Sampler>()
    expectEqual(try store.min(of: query) { field($0) }?.storedValue, smallest)
    expectEqual(try store.max(of: query) { field($0) }?.storedValue, largest)
    let other = Query<MaybeSampler>()
    expectEqual(try store.min(of: other) { field($0) }?.storedValue, smallest)
    expectEqual(try store.max(of: other) { field($0) }?.storedValue, largest)
    let groups = Dictionary(grouping: some, by: \.storedValue).mapValues(\.count)
    let counts = try store.counts(of: other) { field($0) }
    expectEqual(counts.map(\.value.storedValue), groups.keys.sorted())
    expectEqual(counts.map(\.count), groups.sorted { $0.key < $1.key }.map(\.value))
  }
}

extension Sampled where Value: Comparable {
  /// Checks what types with an order have.
  func checkRanges() throws {
    func before(_ a: Value?, _ b: Value) -> Bool { a.map { order.precedes($0, b) } ?? false }
    func after(_ a: Value?, _ b: Value) -> Bool { a.map { order.precedes(b, $0) } ?? false }
    func upTo(_ a: Value?, _ b: Value) -> Bool { a != nil && !after(a, b) }
    func from(_ a: Value?, _ b: Value) -> Bool { a != nil && !before(a, b) }
    try withEvery("value", in: values) { value in
      try expect("<", { before($0, value) }, { $0 < value }, { value > $0 })
      try expect("<=", { upTo($0, value) }, { $0 <= value }, { value >= $0 })
      try expect(">", { after($0, value) }, { $0 > value }, { value < $0 })
      try expect(">=", { from($0, value) }, { $0 >= value }, { value <= $0 })
    }
    var generator = SeededGenerator(number: 2)
    for _ in 0..<6 {
      let some = values.shuffled(using: &generator)
      let (low, high) = some[0] <= some[1] ? (some[0], some[1]) : (some[1], some[0])
      try expect(
        "\(low)...\(high)", { from($0, low) && upTo($0, high) }, { $0.in(low...high) },
        { low...high ~= $0 })
      try expect(
        "\(low)..<\(high)", { from($0, low) && before($0, high) }, { $0.in(low..<high) },
        { $0.in(low..<high) })
      try expect(
        "not \(low)...\(high)", { !(from($0, low) && upTo($0, high)) }, { !$0.in(low...high) },
        { !$0.in(low...high) })
    }
  }
}

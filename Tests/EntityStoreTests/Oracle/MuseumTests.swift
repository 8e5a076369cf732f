@_spi(Storage) @testable import EntityStore
import Fixtures
import Foundation
import TestSupport
import Testing

/// Queries about every type of value, under names that are traps, on memory, on a file and in a
/// plain world.
@Suite(.oneThread) struct `Memory, file and a naive evaluation agree on every type` {
  private static let perMuseum = 40
  private static let parts = 4

  /// The museums of one of the parts that run beside each other.
  private static func seeds(_ part: Int) -> Range<Int> {
    TestSupport.seeds(2_000 / (perMuseum * parts), part: part)
  }

  @Test(arguments: 0..<parts)
  func `S7 S8 P6: conditions, orders, sections, values and limits`(_ part: Int) throws {
    try withEvery("museum", in: Self.seeds(part)) { seed in
      let museum = RandomMuseum(seed: seed)
      let world = museum.world
      var queries = RandomQueries(
        entities: RandomMuseum.entities, generator: SeededGenerator(seed: seed &+ 7_000_000),
        world: world)
      let stores = try TestStorage.withServer.map {
        try $0.makeStore(Curio.self, Finder.self, Hall.self)
      }
      for store in stores { try museum.fill(store) }
      withEvery("query", in: 0..<Self.perMuseum) { _ in
        let plan = queries.plan()
        for store in stores {
          do {
            try store.readStorage { reader in
              try expectFinds(plan, reader, world)
              try expectWalk(plan.unlimited, reader)
            }
          } catch {
            recordIssue("\(error) for \(plan.described)")
          }
        }
      }
    }
  }

  @Test func `S7 P6: constants are compared alone, those of several parts too`() throws {
    let museum = RandomMuseum(seed: 1)
    let stores = try TestStorage.withServer.map {
      try $0.makeStore(Curio.self, Finder.self, Hall.self)
    }
    for store in stores { try museum.fill(store) }
    let values: [[StoredValue]] = [
      [.null, .integer(0), .integer(1)], [.null, .text(""), .text("a")], [.null, .bytes([])],
      [.null, .real(0), .real(.infinity)],
      [.null, .list([.text("a"), .integer(1)]), .list([.text("a"), .integer(2)])],
    ]
    func expectFound(_ condition: QueryExpression) throws {
      for condition in [condition, .not(condition), .and([condition]), .or([.not(condition)])] {
        let plan = FetchPlan(
          Query<Curio>().filter { _ in Condition(condition) }.description)
        for store in stores { try store.readStorage { try expectFinds(plan, $0, museum.world) } }
      }
    }
    for values in values {
      for a in values {
        try expectFound(.isIn(.constant(a), values))
        for b in values {
          try expectFound(.isIn(.constant(a), [b]))
          for comparison in [
            Comparison.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
          ] {
            try expectFound(.comparison(comparison, .constant(a), .constant(b)))
          }
        }
      }
    }
  }

  @Test func `S7 P6: a value of another shape is equal to none`() throws {
    let museum = RandomMuseum(seed: 1)
    let entity = Curio.schema.entity
    let stores = try TestStorage.withServer.map {
      try $0.makeStore(Curio.self, Finder.self, Hall.self)
    }
    for store in stores { try museum.fill(store) }
    for column in [
      entity.column(\Curio.finder), entity.column(\Curio.box), entity.column(\Curio.label),
    ] {
      let path = QueryExpression.attribute(
        AttributePath(root: entity, steps: [], column: column))
      let lists: [StoredValue] = [
        .list([]), .list([.null, .null]), .list([.text("a")]),
        .list([.text(""), .integer(0), .integer(0)]),
      ]
      let isComposite = entity.columns[column].type == .list
      for value in lists + (isComposite ? [.integer(1), .text("")] : []) {
        for condition in [
          QueryExpression.comparison(.equal, path, .constant(value)),
          .comparison(.notEqual, path, .constant(value)), .isIn(path, [value, value]),
        ] {
          let plan = FetchPlan(Query<Curio>().filter { _ in Condition(condition) }.description)
          for store in stores { try store.readStorage { try expectFinds(plan, $0, museum.world) } }
        }
      }
    }
  }

  /// Expects that what is read of rows by number is what is fetched.
  private func expectWalk(_ plan: FetchPlan, _ reader: any StorageReader) throws {
    var numbers: [Int64] = []
    var values: [[StoredValue]] = []
    do {
      try reader.numbered().forEachRowNumber(plan) {
        numbers.append($0)
        values.append($1)
      }
    } catch StoreError.notIndexable {
      return
    } catch StoreError.rowNumbersUnsupported {
      return
    }
    let fetched = try reader.fetch(plan)
    let rows = try reader.numbered().rows(of: plan.entity, numbered: numbers)
    expectEqual(rows.map { $0?.values }, fetched.map { $0.row.values }, plan.described)
    expectEqual(values, fetched.map(\.values), plan.described)
  }

  @Test(arguments: 0..<parts)
  func `S7 S8: sums, averages, extremes and counts`(_ part: Int) throws {
    try withEvery("museum", in: Self.seeds(part)) { seed in
      let museum = RandomMuseum(seed: seed)
      let world = museum.world
      var queries = RandomQueries(
        entities: RandomMuseum.entities, generator: SeededGenerator(seed: seed &+ 9_000_000),
        world: world)
      let stores = try TestStorage.withServer.map {
        try $0.makeStore(Curio.self, Finder.self, Hall.self)
      }
      for store in stores { try museum.fill(store) }
      try withEvery("query", in: 0..<3) { _ in
        let condition = queries.condition(on: Curio.schema.entity, depth: 2)
        let query = Query<Curio>().filter { _ in Condition(condition) }
          .sorted { [$0.label.descending] }
        let found = try stores.map { try numbers(of: query, $0) }
        expectEqual(found[0], found[1], "\(condition)")
        let rows = world.fetch(FetchPlan(query.description))
        let finders = rows.map { row in
          world.evaluate(
            .attribute(
              AttributePath(
                root: Curio.schema.entity,
                steps: [
                  ReferenceStep(
                    source: Curio.schema.entity, column: Curio.schema.entity.column(\Curio.finder))
                ], column: Finder.schema.entity.column(\Finder.age))), row.row,
            Curio.schema.entity)
        }
        var ages: [StoredValue: Int] = [:]
        for age in finders { ages[age, default: 0] += 1 }
        for store in stores {
          let counts = try store.counts(of: query) { $0.finder.age }
          expectEqual(counts.map(\.value.storedValue), ages.keys.sorted())
          expectEqual(counts.map(\.count), counts.map { ages[$0.value.storedValue] ?? 0 })
          expectEqual(try store.count(query), rows.count)
        }
      }
    }
  }

  /// Numbers about a query, each as text, or the error that it throws.
  private func numbers(of query: Query<Curio>, _ store: Store) throws -> [String] {
    func text(_ make: () throws -> Any?) -> String {
      do { return "\(try make() ?? "nil")" } catch { return "\(error)" }
    }
    return [
      text { try store.sum(of: query) { $0.size } },
      text { try store.average(of: query) { $0.size } },
      text { try store.sum(of: query) { $0.weight } },
      text { try store.average(of: query) { $0.weight } },
      text { try store.sum(of: query) { $0.ratio } },
      text { try store.sum(of: query) { $0.finder.age } },
      text { try store.average(of: query) { $0.finder.mentor.age } },
      text { try store.sum(of: query) { $0.content.count } },
      text { try store.min(of: query) { $0.label }.map { Array($0.utf8) } },
      text { try store.max(of: query) { $0.made } }, text { try store.min(of: query) { $0.token } },
      text { try store.max(of: query) { $0.wide } }, text { try store.min(of: query) { $0.price } },
      text { try store.max(of: query) { $0.box.id.number } },
      text { try store.min(of: query) { $0.finder.hall.id } },
      text { try store.counts(of: query) { $0.grade } },
      text { try store.counts(of: query) { $0.box.id.room }.map { Array(($0.value ?? "-").utf8) } },
      text { try store.counts(of: query) { $0.price }.map(\.count) },
      text { try store.counts(of: query) { $0.pair.isLent } },
    ]
  }
}

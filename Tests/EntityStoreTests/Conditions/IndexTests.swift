@_spi(Storage) @testable import EntityStore
import Fixtures
import TestSupport
import Testing

/// Conditions that are met by way of an index, against the same without one, and a plain evaluation.
@Suite(.oneThread) struct `An index doesn't change results` {
  private static let indexed = IndexedTwin.schema.entity
  private static let bare = BareTwin.schema.entity

  @Test(arguments: 0..<10)
  func `S7 S8: in memory, whatever is written and asked`(_ part: Int) throws {
    try withEvery("seed", in: seeds(50, part: part)) { try check(.memory, seed: $0) }
  }

  @Test(arguments: 0..<2)
  func `S7 S8: in a file, whatever is written and asked`(_ part: Int) throws {
    try withEvery("seed", in: seeds(10, part: part)) { try check(.file, seed: $0) }
  }

  private func check(_ storage: TestStorage, seed: Int) throws {
    var twins = RandomTwins(seed: seed)
    let store = try storage.makeStore(IndexedTwin.self, BareTwin.self)
    var world = World()
    let size = [3, 30, 150][seed % 3]
    for _ in 0..<4 {
      try store.commit { draft in
        // A large part is written by way of another path than a few.
        let count = twins.chance(0.3) ? size : twins.number(1..<6)
        for _ in 0..<count {
          let id = twins.number(0..<size)
          if twins.chance(0.2) {
            try draft.core.removeTwin(id)
            world.remove(.integer(Int64(id)), of: Self.bare)
          } else {
            let row = twins.row(id)
            try draft.core.insert(Self.indexed.row(row), replacing: true)
            try draft.core.insert(Self.bare.row(row), replacing: true)
            world.set(row, of: Self.bare)
          }
        }
        try ask(&twins, draft.core, world, count: 2)
      }
      try store.withStorageReader { try ask(&twins, $0, world, count: 5) }
    }
    try store.withStorageReader { try lookUp(&twins, $0, world) }
  }

  private func ask(
    _ twins: inout RandomTwins, _ reader: any StorageReader, _ world: World, count: Int
  ) throws {
    for _ in 0..<count {
      let condition = twins.condition()
      // Of few rows, an index has the order.
      for _ in 0..<2 {
        let part = twins.part()
        let first = condition.plan(Self.bare, first: part)
        expectEqual(
          try reader.fetch(condition.plan(Self.indexed, first: part)).map(\.row.id),
          world.fetch(first).map(\.row[Self.bare.identity]),
          "by \(first.order) from \(part.offset), \(part.limit): \(first.filter as Any)")
      }
      let plan = condition.plan(Self.bare)
      let expected = world.fetch(plan).map(\.row[Self.bare.identity])
      expectEqual(
        try reader.fetch(plan).map(\.row.id), expected, "without an index: \(plan.filter as Any)")
      expectEqual(
        try reader.fetch(condition.plan(Self.indexed)).map(\.row.id), expected,
        "with one: \(plan.filter as Any)")
      expectEqual(
        try reader.count(Self.indexed, where: condition.make(Self.indexed)), expected.count,
        "counted: \(plan.filter as Any)")
    }
  }

  /// Looks up by every key, and the first parts of every key.
  private func lookUp(_ twins: inout RandomTwins, _ reader: any StorageReader, _ world: World)
    throws
  {
    let rows = world.rows(of: Self.bare)
    for key in Self.indexed.lookupKeys {
      for length in 1...key.count {
        let columns = Array(key.prefix(length))
        var sought = [columns.map { twins.value($0) }]
        for _ in 0..<3 {
          guard !rows.isEmpty else { break }
          let row = rows[twins.number(0..<rows.count)]
          sought.append(columns.map { row[$0] })
        }
        for values in sought where !values[0].isNull {
          let expected = rows.filter { row in columns.map { row[$0] } == values }
          let found = try reader.ids(of: Self.indexed, where: columns, equal: values)
          expectEqual(
            found.sorted(), expected.map { $0[Self.bare.identity] }.sorted(),
            "\(columns) is \(values)")
        }
      }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: a list and a range find through an index what they find without`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(IndexedTwin.self)
    try store.commit { draft in
      for id in 0..<1000 {
        try draft.insert(
          IndexedTwin(
            id: id, number: id % 100, real: id % 7 == 0 ? nil : Double(id) / 8,
            text: id % 5 == 0 ? nil : "t\(id % 50)", flag: true, code: "c\(id)"))
      }
    }
    func ids(
      @Condition<IndexedTwin>.Builder _ condition: (Row<IndexedTwin, IndexedTwin>) -> Condition<
        IndexedTwin
      >
    ) throws -> [Int] {
      try store.fetch(Query<IndexedTwin>().filter(condition)).map(\.id)
    }
    let all = Array(0..<1000)
    #expect(
      try ids { $0.number.in([5, 5, 7, 200, -1]) } == all.filter { [5, 7].contains($0 % 100) })
    #expect(try ids { $0.text.in(["t1", "t", ""]) } == all.filter { $0 % 50 == 1 })
    #expect(
      try ids { $0.text.in((0..<1500).map { "t\($0)" }) } == all.filter { $0 % 5 != 0 })
    #expect(try ids { $0.text.in([String]()) } == [])
    #expect(
      try ids { $0.real.in(10...20) } == all.filter { $0 % 7 != 0 && (80...160).contains($0) })
    #expect(
      try ids {
        $0.real > 10
        $0.real < 20
        $0.real >= 12
        $0.real <= 12.5
      } == all.filter { $0 % 7 != 0 && (96...100).contains($0) })
    #expect(
      try ids {
        $0.real > 10
        $0.real < 5
      } == [])
    #expect(
      try ids {
        $0.text >= "t48"
        $0.number == 98
      } == all.filter { $0 % 100 == 98 })
    #expect(try ids { $0.code == "c77" } == [77])
    #expect(
      try ids {
        $0.code == "c77"
        $0.number == 76
      } == [])
  }
}

extension DraftCore {
  /// Deletes both twins, if they are there.
  fileprivate func removeTwin(_ id: Int) throws {
    let id = StoredValue.integer(Int64(id))
    for entity in [IndexedTwin.schema.entity, BareTwin.schema.entity] {
      if try row(of: entity, id: id) != nil { try delete(entity, id: id) }
    }
  }
}

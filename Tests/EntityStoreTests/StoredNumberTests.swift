import EntityStore
import Fixtures
import TestSupport
import Testing

/// An object whose id is a number with a fraction.
private struct Level: Entity {
  let id: Double
  var above: Ref<Level>?
  static let attributes = Attributes(.id(\Level.id), .one("above", \.above, lateBound: true))
  static let schema = Schema(attributes, Level.init)
}

@Suite struct `Numbers are equal if their stored forms are equal` {
  @Test(arguments: TestStorage.withServer)
  func `S8: negative zero is zero`(_ storage: TestStorage) throws {
    #expect((-0.0).storedValue.description == "0.0")
    #expect((-0.0 as Float).storedValue.description == "0.0")
    let store = try storage.makeStore(Measure.self, Level.self)
    try store.commit { draft in
      try draft.insert(Measure(id: 1, value: -0.0))
      try draft.insert(Level(id: 0.0))
    }
    let version = try store.version
    try store.commit { try $0.update(Measure.self, 1) { $0.value = 0.0 } }
    #expect(try store.version == version)
    #expect(try store.count(Query<Measure>().filter { $0.value == 0.0 }) == 1)
    #expect(try store.count(Query<Measure>().filter { $0.value == -0.0 }) == 1)
    #expect(try store.count(Query<Measure>().filter { $0.value < 0.0 }) == 0)
    #expect(try store.find(Level.self, -0.0) != nil)
    #expect(throws: StoreError.self) { try store.commit { try $0.insert(Level(id: -0.0)) } }
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: NaN is refused by name, wherever it is written`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Measure.self, Level.self)
    try store.commit { try $0.insert(Measure(id: 1, value: 1)) }
    let refused = StoreError.notANumber(ObjectID(Measure.self, 1), attribute: "value")
    try store.commit { draft in
      #expect(throws: refused) { try draft.upsert(Measure(id: 1, value: .nan)) }
      #expect(throws: refused) {
        try draft.update(Measure.self, 1) { $0.value = .signalingNaN }
      }
      #expect(throws: StoreError.self) { try draft.insert(Level(id: .nan)) }
      #expect(throws: StoreError.self) { try draft.insert(Level(id: 1, above: Ref(.nan))) }
    }
    #expect(try store.find(Measure.self, 1)?.value == 1)
    #expect(try store.count(Query<Level>()) == 0)
    #expect(try store.version == 1)
    #expect(try store.find(Level.self, .nan) == nil)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: extreme numbers are kept and ordered`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Measure.self, Seat.self)
    let numbers: [Double] = [
      -.infinity, -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, 0,
      .leastNonzeroMagnitude, .leastNormalMagnitude, 0.1, 9_007_199_254_740_992, 1e300, .infinity,
    ]
    let whole = [Int.min, .min + 1, -1, 0, 1, (1 << 53) + 1, .max - 1, .max]
    try store.commit { draft in
      for (id, number) in numbers.enumerated().reversed() {
        try draft.insert(Measure(id: id, value: number))
      }
      for number in whole.reversed() { try draft.insert(Seat(id: number, row: number)) }
    }
    let measures = Query<Measure>().sorted { [$0.value.ascending] }
    #expect(try store.fetch(measures).map(\.value) == numbers)
    #expect(try store.all(Seat.self).map(\.id) == whole)
    #expect(try store.fetch(Query<Seat>().sorted { [$0.row.ascending] }).map(\.row) == whole)
    for (index, number) in numbers.enumerated() {
      #expect(try store.count(Query<Measure>().filter { $0.value < number }) == index)
      #expect(try store.count(Query<Measure>().filter { $0.value == number }) == 1)
    }
    for (index, number) in whole.enumerated() {
      #expect(try store.count(Query<Seat>().filter { $0.row <= number }) == index + 1)
    }
  }
}

@_spi(Storage) @testable import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

enum Fuel: String, Storable, CaseIterable { case petrol, diesel, none = "" }
private enum Grade: UInt8, Storable, CaseIterable { case low = 0, high = 255 }
enum Share: Double, Storable, CaseIterable { case none = 0, half = 0.5 }

/// One property of each storable type, and its optional.
private struct Everything: Entity {
  let id: Int
  var int8: Int8?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var uint8: UInt8?
  var uint16: UInt16?
  var uint32: UInt32?
  var double: Double?
  var float: Float?
  var bool: Bool?
  var string: String?
  var bytes: [UInt8]?
  var fuel: Fuel?
  var grade: Grade?
  var share: Share?
  var uuid: UUID?
  var date: Date?
  var int: Int? = nil
  static let attributes = Attributes(
    .id(\Everything.id), .attribute("int8", \.int8), .attribute("int16", \.int16),
    .attribute("int32", \.int32), .attribute("int64", \.int64), .attribute("uint8", \.uint8),
    .attribute("uint16", \.uint16), .attribute("uint32", \.uint32),
    .attribute("double", \.double), .attribute("float", \.float), .attribute("bool", \.bool),
    .attribute("string", \.string), .attribute("bytes", \.bytes), .attribute("fuel", \.fuel),
    .attribute("grade", \.grade), .attribute("share", \.share), .attribute("uuid", \.uuid),
    .attribute("date", \.date), .attribute("int", \.int))
  static let schema = Schema(attributes, Everything.init)
}

@Suite struct `Storable values survive being stored` {
  private func expectRoundTrip<Value: Storable & Equatable>(_ values: [Value?]) throws {
    for value in values {
      let stored = value.storedValue
      let again = try Value?(storedValue: stored)
      expectEqual(again, value)
      expectEqual(again.storedValue, stored)
      if let value { expectEqual(try Value(storedValue: stored), value) }
    }
  }

  @Test func `Every storable type has a stored form that gives the value back`() throws {
    try expectRoundTrip([nil, Int.min, -1, 0, .max])
    try expectRoundTrip([nil, Int8.min, 0, .max])
    try expectRoundTrip([nil, Int16.min, 0, .max])
    try expectRoundTrip([nil, Int32.min, 0, .max])
    try expectRoundTrip([nil, Int64.min, 0, .max])
    try expectRoundTrip([nil, UInt8.min, .max])
    try expectRoundTrip([nil, UInt16.min, .max])
    try expectRoundTrip([nil, UInt32.min, .max])
    try expectRoundTrip([nil, -.infinity, -0.0, 0, .leastNonzeroMagnitude, 0.1, Double.infinity])
    try expectRoundTrip([nil, -.infinity, -0.0, .leastNonzeroMagnitude, 0.1, Float.infinity])
    try expectRoundTrip([nil, true, false])
    try expectRoundTrip([nil] + HostileText.samples)
    try expectRoundTrip([nil, [], [0], Array(0...255)])
    try expectRoundTrip([nil] + Fuel.allCases)
    try expectRoundTrip([nil] + Grade.allCases)
    try expectRoundTrip([nil] + Share.allCases)
    try expectRoundTrip([nil, UUID(), UUID(uuidString: "00000000-0000-0000-0000-000000000000")])
  }

  @Test func `The stored form of a date is the stored form of the date made from it`() throws {
    var generator = SeededGenerator(number: 1)
    var seconds: [Double] = [
      0, -978_307_200, -978_307_199.9, 1e-7, 123_456_789.123_456_7, -63_113_904_000, 6e10,
      Date.distantPast.timeIntervalSinceReferenceDate,
      Date.distantFuture.timeIntervalSinceReferenceDate, 1e18, -1e18, 0x1p61 + 512, 1e25, -1e25,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity,
    ]
    for exponent in -20...90 {
      for _ in 0..<50 {
        let magnitude = Double.random(in: 1..<2, using: &generator)
        let sign: Double = Bool.random(using: &generator) ? 1 : -1
        seconds.append(
          Double(sign: .plus, exponent: exponent, significand: magnitude) * sign)
      }
    }
    try withEvery("seconds since 2001", in: seconds) { seconds in
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let stored = date.storedValue
      let again = try Date(storedValue: stored)
      expectEqual(again.storedValue, stored)
      if seconds.isFinite && abs(seconds) < 1e10 {
        expectTrue(abs(again.timeIntervalSince(date)) < 1e-6)
      }
    }
  }

  @Test func `A stored form of another type, or out of range, is refused`() {
    func expectRefused<Value: Storable>(_ type: Value.Type, _ values: [StoredValue]) {
      for value in values {
        #expect(throws: StoredValue.Mismatch(value, type: type)) {
          try type.init(storedValue: value)
        }
      }
    }
    expectRefused(Int8.self, [.null, .integer(128), .integer(-129), .real(1), .text("1")])
    expectRefused(UInt8.self, [.integer(-1), .integer(256)])
    expectRefused(UInt32.self, [.integer(-1), .integer(1 << 32)])
    expectRefused(Bool.self, [.null, .integer(2), .text("true")])
    expectRefused(Double.self, [.null, .text("1"), .bytes([])])
    expectRefused(String.self, [.null, .integer(1), .bytes([0x61])])
    expectRefused([UInt8].self, [.null, .text("")])
    expectRefused(Fuel.self, [.text("Petrol"), .text("petrol\0")])
    expectRefused(Grade.self, [.integer(1)])
    expectRefused(UUID.self, [.bytes([]), .bytes(Array(repeating: 0, count: 17)), .text("")])
    #expect(throws: StoredValue.Mismatch.self) { try Fuel(storedValue: .null) }
    #expect(throws: StoredValue.Mismatch.self) { try Int?(storedValue: .text("")) }
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: every storable type comes back from a storage as it was`(_ storage: TestStorage) throws
  {
    let store = try storage.makeStore(Everything.self)
    let objects = [
      Everything(
        id: 1, int8: .min, int16: .min, int32: .min, int64: .min, uint8: .max, uint16: .max,
        uint32: .max, double: .greatestFiniteMagnitude, float: .greatestFiniteMagnitude,
        bool: false, string: "", bytes: [], fuel: Fuel.none, grade: .low, share: Share.none,
        uuid: UUID(), date: .distantPast, int: .min),
      Everything(
        id: 2, int8: .max, int16: .max, int32: .max, int64: .max, uint8: 0, uint16: 0, uint32: 0,
        double: -.leastNonzeroMagnitude, float: 0.1, bool: true, string: "a\(nul)b",
        bytes: [0, 255],
        fuel: .petrol, grade: .high, share: .half, uuid: UUID(), date: .distantFuture, int: .max),
      Everything(id: 3),
    ]
    try store.commit { draft in for object in objects { try draft.insert(object) } }
    for (object, found) in zip(objects, try store.all(Everything.self)) {
      for column in Everything.schema.entity.columns.indices {
        #expect(
          EntityRow(object).value(at: column)
            == EntityRow(found).value(at: column))
      }
      #expect(found.uuid == object.uuid)
    }
    for object in objects where object.id < 3 {
      let query = Query<Everything>().filter {
        $0.int8 == object.int8 ?? 0
        $0.uint32 == object.uint32 ?? 0
        $0.float == object.float ?? 0
        $0.bool == object.bool ?? false
        $0.bytes == object.bytes ?? []
        $0.fuel == object.fuel ?? .diesel
        $0.grade == object.grade ?? .low
        $0.uuid == object.uuid ?? UUID()
        $0.date == object.date ?? Date()
      }
      #expect(try store.fetch(query).map(\.id) == [object.id])
    }
  }
}

extension Everything {
  fileprivate init(id: Int) {
    self.init(
      id: id, int8: nil, int16: nil, int32: nil, int64: nil, uint8: nil, uint16: nil, uint32: nil,
      double: nil, float: nil, bool: nil, string: nil, bytes: nil, fuel: nil, grade: nil,
      share: nil, uuid: nil, date: nil, int: nil)
  }
}

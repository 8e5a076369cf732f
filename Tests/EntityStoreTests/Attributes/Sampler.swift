import EntityStore
import TestSupport

/// A size whose own order and equality are not those of what is stored.
///
/// It isn't `CaseIterable`, so nobody can know that.
enum Size: String, Storable, Comparable {
  case small = "s"
  case medium = "m"
  case large = "l"

  static let allCases: [Size] = [.small, .medium, .large]

  static func < (a: Size, b: Size) -> Bool {
    allCases.firstIndex(of: a) ?? 0 < allCases.firstIndex(of: b) ?? 0
  }
}

enum Floor: Int8, Storable, CaseIterable, Comparable {
  case cellar = -128
  case ground = 0
  case roof = 127

  static func < (a: Floor, b: Floor) -> Bool { a.rawValue < b.rawValue }
}

/// A property of every type that is stored, and an optional one.
struct Sampler: Entity {
  let id: Int
  var int = 0
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int64: Int64 = 0
  var uint: UInt = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var uint64: UInt64 = 0
  var float: Float = 0
  var double = 0.0
  var bool = false
  var string = ""
  var bytes: [UInt8] = []
  var size = Size.small
  var floor = Floor.ground
  static let attributes = Attributes(
    .id(\Sampler.id), .attribute("int", \.int), .attribute("int8", \.int8),
    .attribute("int16", \.int16), .attribute("int32", \.int32), .attribute("int64", \.int64),
    .attribute("uint", \.uint), .attribute("uint8", \.uint8), .attribute("uint16", \.uint16),
    .attribute("uint32", \.uint32), .attribute("uint64", \.uint64), .attribute("float", \.float),
    .attribute("double", \.double), .attribute("bool", \.bool), .attribute("string", \.string),
    .attribute("bytes", \.bytes), .attribute("size", \.size), .attribute("floor", \.floor))
  static let schema = Schema(attributes, Sampler.init)
}

/// The same, each of which may be nil.
struct MaybeSampler: Entity {
  let id: Int
  var int: Int?
  var int8: Int8?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var uint: UInt?
  var uint8: UInt8?
  var uint16: UInt16?
  var uint32: UInt32?
  var uint64: UInt64?
  var float: Float?
  var double: Double?
  var bool: Bool?
  var string: String?
  var bytes: [UInt8]?
  var size: Size?
  var floor: Floor?
  static let attributes = Attributes(
    .id(\MaybeSampler.id), .attribute("int", \.int), .attribute("int8", \.int8),
    .attribute("int16", \.int16), .attribute("int32", \.int32), .attribute("int64", \.int64),
    .attribute("uint", \.uint), .attribute("uint8", \.uint8), .attribute("uint16", \.uint16),
    .attribute("uint32", \.uint32), .attribute("uint64", \.uint64), .attribute("float", \.float),
    .attribute("double", \.double), .attribute("bool", \.bool), .attribute("string", \.string),
    .attribute("bytes", \.bytes), .attribute("size", \.size), .attribute("floor", \.floor))
  static let schema = Schema(attributes, MaybeSampler.init)
}

/// A sampler with an index on every attribute that conditions find by.
struct IndexedSampler: Entity {
  let id: Int
  var int: Int?
  var int32: Int32?
  var uint64: UInt64?
  var float: Float?
  var double: Double?
  var string: String?
  var bytes: [UInt8]?
  static let attributes = Attributes(
    .id(\IndexedSampler.id), .attribute("int", \.int), .attribute("int32", \.int32),
    .attribute("uint64", \.uint64), .attribute("float", \.float), .attribute("double", \.double),
    .attribute("string", \.string), .attribute("bytes", \.bytes))
  static let schema = Schema(
    attributes, IndexedSampler.init,
    rules: [
      .index(\.int), .index(\.int32), .index(\.uint64), .index(\.float), .index(\.double),
      .index(\.string), .index(\.bytes),
    ])
}

/// The order that the store promises for values of a type, said in plain Swift.
struct PlainOrder<Value: Sendable>: Sendable {
  let precedes: @Sendable (Value, Value) -> Bool

  func isSame(_ a: Value, _ b: Value) -> Bool { !precedes(a, b) && !precedes(b, a) }

  /// nil before every value.
  func precedes(_ a: Value?, _ b: Value?) -> Bool {
    switch (a, b) {
    case (_, nil): false
    case (nil, _?): true
    case (let a?, let b?): precedes(a, b)
    }
  }
}

extension PlainOrder where Value: Comparable {
  static var own: PlainOrder { PlainOrder { $0 < $1 } }
}

extension PlainOrder where Value == Bool {
  static var falseFirst: PlainOrder { PlainOrder { !$0 && $1 } }
}

extension PlainOrder where Value == String {
  static var byBytes: PlainOrder { PlainOrder { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}

extension PlainOrder where Value == [UInt8] {
  static var byBytes: PlainOrder { PlainOrder { $0.lexicographicallyPrecedes($1) } }
}

extension PlainOrder where Value: RawRepresentable, Value.RawValue: Comparable {
  static var byRawValue: PlainOrder { PlainOrder { $0.rawValue < $1.rawValue } }
}

internal import Foundation
internal import Locking

/// JSON in the one spelling that is stored.
enum JSONText {
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: "-\(infinity)", nan: notANumber)
    return encoder
  }()

  private static let decoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: "-\(infinity)", nan: notANumber)
    return decoder
  }()

  private static let infinity = "Infinity"
  private static let notANumber = "NaN"

  /// Returns the value as JSON.
  ///
  /// - Precondition: The value can be encoded.
  static func text<Value: Encodable>(of value: Value) -> String {
    do {
      return try encoded(value)
    } catch {
      mistake(
        "A \(Value.self) can't be stored, since it can't be encoded as JSON; let its encode(to:) "
          + "always succeed, or write its storedValue by hand (\(error))")
    }
  }

  static func encoded<Value: Encodable>(_ value: Value) throws -> String {
    try encoded(value, StableOrders())
  }

  /// Returns the value as JSON, and notes the orders of the collections in it.
  static func encoded<Value: Encodable>(_ value: Value, _ orders: StableOrders) throws -> String {
    String(decoding: try encoder.encode(StableValue(value: value, orders: orders)), as: UTF8.self)
  }

  /// Returns the value of the text, or nil if there is none that can be written again.
  static func value<Value: Codable>(of text: String, as type: Value.Type) -> Value? {
    guard let value = try? decoder.decode(type, from: Data(text.utf8)) else { return nil }
    // Foundation reads a text that is nested more deeply than what it writes.
    let openings = text.utf8.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    if openings > leastDepth, (try? encoded(value)) == nil { return nil }
    return value
  }

  /// A number of levels that Foundation writes everywhere.
  private static let leastDepth = 500
}

internal import Foundation
internal import Locking

/// JSON in the one spelling that is stored.
enum StableJSON {
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
    if let key = storedKey { decoder.userInfo[key] = true }
    return decoder
  }()

  /// True while a value is decoded of which the depth is checked when it is whole.
  @TaskLocal static var isChecked = false

  /// The key by which a decoder says that it reads a stored text, whose depth is known.
  static let storedKey = CodingUserInfoKey(rawValue: "signalbox.stored")

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

  /// Returns the value as JSON, and notes the orders of the collections in it.
  static func encoded<Value: Encodable>(
    _ value: Value, _ orders: StableOrders = StableOrders()
  ) throws -> String {
    String(decoding: try encoder.encode(StableValue(value: value, orders: orders)), as: UTF8.self)
  }

  /// Returns the value of the text, or nil if there is none that can be written again.
  static func value<Value: Codable>(of text: String, as type: Value.Type) -> Value? {
    guard let value = try? decoder.decode(type, from: Data(text.utf8)) else { return nil }
    // Foundation reads a text that is nested more deeply than what it writes.
    let isDeep = text.utf8.count > 2 * leastDepth && depth(of: text) > leastDepth
    if isDeep, (try? encoded(value)) == nil { return nil }
    return value
  }

  /// Returns the number of arrays and objects that are nested in a text in JSON.
  private static func depth(of text: String) -> Int {
    var (depth, deepest) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = isInString
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if isInString { continue }
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isInString { depth -= 1 }
      default: continue
      }
    }
    return deepest
  }

  /// A number of levels that Foundation writes everywhere.
  private static let leastDepth = 500
}

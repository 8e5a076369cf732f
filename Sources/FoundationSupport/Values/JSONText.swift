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

  /// The value as JSON.
  ///
  /// - Precondition: the value can be encoded.
  static func text<Value: Encodable>(of value: Value) -> String {
    do {
      return try encoded(value)
    } catch {
      mistake(
        "A \(Value.self) can't be stored, since it can't be encoded as JSON; let its encode(to:) "
          + "always succeed, or write its storedValue by hand (\(error))")
    }
  }

  /// The value as JSON, or the error that its encoding throws.
  static func encoded<Value: Encodable>(_ value: Value) throws -> String {
    String(decoding: try encoder.encode(StableValue(value: value)), as: UTF8.self)
  }

  /// The value that the text says, or nil if it says none.
  static func value<Value: Decodable>(of text: String, as type: Value.Type) -> Value? {
    try? decoder.decode(type, from: Data(text.utf8))
  }
}

package import EntityStore
internal import FetchedObjects

/// A text in JSON that is written piece by piece.
///
/// It has no line breaks, so each text fits a line of an event.
package struct JSONText: Sendable {
  package private(set) var bytes: [UInt8] = []
  /// True if the next element or name needs no comma before it.
  private var isFirst = true

  package init() {}

  // MARK: Structure

  /// Writes an object; `body` writes its parts.
  package mutating func object(_ body: (inout JSONText) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  /// Writes an array with what `element` writes for each value.
  package mutating func array<Values: Sequence>(
    _ values: Values, _ element: (inout JSONText, Values.Element) -> Void
  ) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { text in
      for value in values {
        text.separate()
        element(&text, value)
      }
    }
  }

  /// Writes the name of a part; its value follows.
  package mutating func name(_ name: String) {
    separate()
    string(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a comma unless this is the first part.
  mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  private mutating func enclose(
    _ start: UInt8, _ end: UInt8, _ body: (inout JSONText) -> Void
  ) {
    bytes.append(start)
    isFirst = true
    body(&self)
    isFirst = false
    bytes.append(end)
  }

  // MARK: Values

  package mutating func null() { literal("null") }

  /// Writes `null`, `true` or `false`.
  package mutating func literal(_ word: StaticString) {
    word.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  package mutating func number(_ number: some BinaryInteger) {
    bytes.append(contentsOf: "\(number)".utf8)
  }

  /// Writes a text, with escapes for what JSON doesn't take as it is.
  package mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for (place, byte) in utf8.enumerated() where Self.needsEscape(byte) {
        bytes.append(contentsOf: utf8[start..<place])
        escape(byte)
        start = place + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}

extension JSONText {
  /// The greatest number up to which a browser, where all numbers are `Double`, keeps each one.
  private static let greatestExact: UInt64 = 1 << 53

  /// Writes a stored value, in the form that the guide "Feeds" describes.
  ///
  /// - Parameters:
  ///   - stored: the value.
  ///   - isExact: true to write a whole number that a browser would round as a text, with its type.
  package mutating func value(_ stored: StoredValue, isExact: Bool = false) {
    switch stored {
    case .null: null()
    case .integer(let integer) where isExact && integer.magnitude > Self.greatestExact:
      tagged("integer", "\(integer)")
    case .integer(let integer): number(integer)
    case .real(let real): self.real(real)
    case .text(let text): string(text)
    case .bytes(let bytes):
      tagged("bytes", TextBytes.hexadecimal(bytes))
    case .list(let parts):
      array(parts) { text, part in
        // In a list nothing can say beside the number that its type has a fraction.
        if case .real(let real) = part, part.looksWhole {
          text.tagged("real", "\(real)")
        } else {
          text.value(part, isExact: isExact)
        }
      }
    }
  }

  private mutating func real(_ real: Double) {
    if let whole = Int64(exactly: real), !real.isNegativeZero {
      number(whole)
    } else if real.isFinite, !real.isNegativeZero {
      bytes.append(contentsOf: "\(real)".utf8)
    } else {
      tagged("real", "\(real)")
    }
  }

  private mutating func tagged(_ tag: String, _ text: String) {
    object {
      $0.name(tag)
      $0.string(text)
    }
  }
}

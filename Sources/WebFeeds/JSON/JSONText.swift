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

  package mutating func object(_ body: (inout JSONText) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  package mutating func object(_ name: String, _ body: (inout JSONText) -> Void) {
    self.name(name)
    object(body)
  }

  /// Writes values until they have more bytes than a limit, and returns how many it has written.
  @discardableResult
  package mutating func array<Values: Sequence>(
    _ values: Values, atMost limit: Int = .max,
    _ element: (inout JSONText, Values.Element) -> Void
  ) -> Int {
    let start = bytes.count
    var count = 0
    enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { text in
      for value in values {
        if text.bytes.count - start > limit { break }
        text.separate()
        element(&text, value)
        count += 1
      }
    }
    return count
  }

  @discardableResult
  package mutating func array<Values: Sequence>(
    _ name: String, _ values: Values, atMost limit: Int = .max,
    _ element: (inout JSONText, Values.Element) -> Void
  ) -> Int {
    self.name(name)
    return array(values, atMost: limit, element)
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

  // MARK: Parts

  /// Writes a part that is a text, or `null`.
  package mutating func member(_ name: String, _ text: String?) {
    self.name(name)
    if let text { string(text) } else { null() }
  }

  /// Writes a part that is a number, or `null`.
  package mutating func member<Number: BinaryInteger>(_ name: String, _ number: Number?) {
    self.name(name)
    if let number { self.number(number) } else { null() }
  }

  /// Writes a part that is `true`, `false` or `null`.
  package mutating func member(_ name: String, _ isTrue: Bool?) {
    self.name(name)
    if let isTrue { literal(isTrue ? "true" : "false") } else { null() }
  }

  /// Writes a part that is a stored value, as `value` does.
  package mutating func member(_ name: String, _ stored: StoredValue, isExact: Bool = false) {
    self.name(name)
    value(stored, isExact: isExact)
  }

  // MARK: Values

  package mutating func null() { literal("null") }

  /// Writes `null`, `true` or `false`.
  private mutating func literal(_ word: StaticString) {
    word.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func number(_ number: some BinaryInteger) {
    bytes.append(contentsOf: "\(number)".utf8)
  }

  /// Writes a text, with escapes for what JSON doesn't take as it is.
  private mutating func string(_ text: String) { TextBytes.appendJSON(text, to: &bytes) }
}

extension JSONText {
  /// The greatest number up to which a browser, where all numbers are `Double`, keeps each one.
  private static let greatestExact: UInt64 = 1 << 53

  /// Writes a stored value, in the form that the guide "Feeds" describes.
  ///
  /// If `isExact` is true, a whole number that a browser would round is a text, with its type.
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
    object { $0.member(tag, text) }
  }
}

internal import EntityStore

/// A reader for one value of JSON.
///
/// Unlike Foundation's readers, it keeps numbers exact, refuses duplicate keys, and reports where
/// something is wrong.
struct JSONReader {
  private let bytes: [UInt8]
  /// The number of the line, for errors.
  private let line: Int
  private var place = 0
  private var depth = 0
  private var count = 0
  private let limits: JSONLines.Limits
  /// The maximum length of a number; no `Double` has more digits, even if they are all written.
  private static let longestNumber = 4096

  /// Returns the value of a line, which contains nothing after it.
  static func value(
    of line: Int, _ bytes: [UInt8], limits: JSONLines.Limits
  ) throws -> JSONValue {
    var reader = JSONReader(bytes: bytes, line: line, limits: limits)
    let value = try reader.value()
    reader.skipSpaces()
    guard reader.place == bytes.count else { throw reader.error("something follows the value") }
    return value
  }

  private init(bytes: [UInt8], line: Int, limits: JSONLines.Limits) {
    self.bytes = bytes
    self.line = line
    self.limits = limits
  }

  private func error(_ what: String) -> JSONLinesError {
    JSONLinesError(line, .syntax("\(what) at byte \(place + 1)"))
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpaces() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A {
      place += 1
    }
  }

  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func takes(_ word: StaticString) -> Bool {
    let text = Array("\(word)".utf8)
    guard bytes[place...].starts(with: text) else { return false }
    place += text.count
    return true
  }

  private mutating func value() throws -> JSONValue {
    skipSpaces()
    count += 1
    guard count <= limits.values else {
      throw JSONLinesError(line, .tooManyValues(limit: limits.values))
    }
    guard let first = next else { throw error("a value is missing") }
    switch first {
    case UInt8(ascii: "{"): return try nested { try $0.object() }
    case UInt8(ascii: "["): return try nested { try $0.list() }
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default:
      if takes("null") { return .null }
      if takes("true") { return .bool(true) }
      if takes("false") { return .bool(false) }
      throw error("no value begins so")
    }
  }

  private mutating func nested(
    _ read: (inout JSONReader) throws -> JSONValue
  ) throws -> JSONValue {
    guard depth < limits.depth else { throw JSONLinesError(line, .tooDeep(limit: limits.depth)) }
    depth += 1
    place += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  private mutating func object() throws -> JSONValue {
    var members: [JSONMember] = []
    var keys: Set<[UInt8]> = []
    if takes("}" as Unicode.Scalar) { return .object([]) }
    repeat {
      skipSpaces()
      guard next == UInt8(ascii: "\"") else { throw error("a key is missing") }
      let key = try text()
      guard keys.insert(Array(key.utf8)).inserted else {
        throw error("the key \(StoredValue.text(key).brief) is there twice,")
      }
      guard takes(":" as Unicode.Scalar) else { throw error("a colon is missing") }
      members.append(JSONMember(key: key, value: try value()))
    } while takes("," as Unicode.Scalar)
    guard takes("}" as Unicode.Scalar) else { throw error("a comma or } is missing") }
    return .object(members)
  }

  private mutating func list() throws -> JSONValue {
    var values: [JSONValue] = []
    if takes("]" as Unicode.Scalar) { return .list([]) }
    repeat { values.append(try value()) } while takes("," as Unicode.Scalar)
    guard takes("]" as Unicode.Scalar) else { throw error("a comma or ] is missing") }
    return .list(values)
  }

  /// Reads a number in the form of RFC 8259.
  private mutating func number() throws -> String {
    let start = place
    func digits(_ reader: inout JSONReader) throws {
      let first = reader.place
      while let byte = reader.next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        reader.place += 1
      }
      if reader.place == first { throw reader.error("a digit is missing") }
      guard reader.place - start <= Self.longestNumber else {
        throw reader.error("a number of more than \(Self.longestNumber) bytes ends")
      }
    }
    if next == UInt8(ascii: "-") { place += 1 }
    if next == UInt8(ascii: "0") { place += 1 } else { try digits(&self) }
    if next == UInt8(ascii: ".") {
      place += 1
      try digits(&self)
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      place += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
      try digits(&self)
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func text() throws -> String {
    place += 1
    let start = place
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      place += 1
    }
    guard next != UInt8(ascii: "\"") else {
      place += 1
      return try decoded(bytes[start..<place - 1])
    }
    var text = Array(bytes[start..<place])
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return try decoded(text[...])
      case UInt8(ascii: "\\"): try text.append(contentsOf: escape())
      case 0..<0x20: throw error("a control character in a text isn't escaped, before")
      default: text.append(byte)
      }
    }
    throw error("a text doesn't end")
  }

  /// Returns the text of bytes, which must be UTF-8.
  ///
  /// Other bytes would come back as another text.
  private func decoded(_ bytes: ArraySlice<UInt8>) throws -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { throw error("a text isn't UTF-8, before") }
    return text
  }

  /// Returns the bytes that an escape stands for; its backslash has been read.
  private mutating func escape() throws -> [UInt8] {
    guard let byte = next else { throw error("a text doesn't end") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "u"):
      var units = [try unit()]
      if UTF16.isLeadSurrogate(units[0]), bytes[place...].starts(with: Array("\\u".utf8)) {
        place += 2
        units.append(try unit())
      }
      guard let text = String(wholeUTF16: units) else { throw error("half a character") }
      return Array(text.utf8)
    default: throw error("no escape begins so")
    }
  }

  private mutating func unit() throws -> UInt16 {
    let digits = bytes[place...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("four hexadecimal digits are missing") }
    place += 4
    return unit
  }
}

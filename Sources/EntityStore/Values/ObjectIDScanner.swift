/// A reader and writer of the text of an object's name.
///
/// - A whole number is its digits. A number with a fraction has a point or an exponent.
/// - Text is in quotes. Quotes and backslashes in it have a backslash before them, and all that
///   isn't harmless in a log is written as escapes.
/// - Bytes are hexadecimal after `0x`.
/// - The parts of a composite id are separated by commas. A comma follows a single part, too.
struct ObjectIDScanner {
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) { rest = text[...].unicodeScalars }

  /// Returns true if a scalar may be part of a name that isn't quoted.
  static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", ".": true
    default:
      !scalar.isASCII && scalar.isHarmless
        && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }
  }

  static func quoted(_ text: some StringProtocol) -> String {
    var quoted = "\""
    quoted += text.escaped(["\"", "\\"])
    quoted += "\""
    return quoted
  }

  static func literal(_ value: StoredValue) -> String {
    switch value {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number == 0 ? 0 : number)"
    case .text(let text): quoted(text)
    case .bytes(let bytes): "0x" + TextBytes.hexadecimal(bytes)
    case .list(let parts): "(\(parts.map(literal).joined(separator: ", ")))"
    }
  }

  /// Reads the whole text as an object's name.
  mutating func objectID() -> ObjectID? {
    guard let name = name(), take("("), let first = value() else { return nil }
    var values = [first]
    var isList = false
    while take(",") {
      isList = true
      if values.count == 1 && rest.first == ")" { break }
      guard take(" "), let value = value() else { return nil }
      values.append(value)
    }
    guard take(")"), rest.isEmpty else { return nil }
    return ObjectID(entityName: name, id: isList ? .list(values) : first)
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func word(_ belongs: (Unicode.Scalar) -> Bool) -> String {
    let word = rest.prefix(while: belongs)
    rest = rest[word.endIndex...]
    return String(String.UnicodeScalarView(word))
  }

  private mutating func name() -> String? {
    if rest.first == "\"" { return text() }
    let name = word(Self.isPlain)
    return name.isEmpty ? nil : name
  }

  private mutating func text() -> String? {
    guard take("\"") else { return nil }
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(text)
      case "\\":
        guard let escaped = escape() else { return nil }
        text.append(escaped)
      default: text.append(scalar)
      }
    }
    return nil
  }

  /// Reads an escape after its backslash.
  private mutating func escape() -> Unicode.Scalar? {
    guard let scalar = rest.popFirst() else { return nil }
    switch scalar {
    case "\"", "\\": return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "0": return "\0"
    case "u":
      guard take("{") else { return nil }
      // No scalar has more digits.
      let digits = rest.prefix(6).prefix { $0 != "}" }
      rest = rest[digits.endIndex...]
      guard take("}") else { return nil }
      return UInt32(String(String.UnicodeScalarView(digits)), radix: 16).flatMap(
        Unicode.Scalar.init)
    default: return nil
    }
  }

  private mutating func value() -> StoredValue? {
    if rest.first == "\"" { return text().map(StoredValue.text) }
    let word = word { $0 != "," && $0 != ")" }
    if word == "nil" { return .null }
    if word.utf8.starts(with: "0x".utf8) {
      return TextBytes.bytes(Array(word.utf8.dropFirst(2))[...]).map(StoredValue.bytes)
    }
    // No number in a description is longer.
    guard word.utf8.count <= 32 else { return nil }
    if let number = Int64(word) { return .integer(number) }
    if let number = Double(word), !number.isNaN { return .real(number) }
    return nil
  }
}

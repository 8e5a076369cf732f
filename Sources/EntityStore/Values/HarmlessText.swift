// Text from outside in messages for people: descriptions, errors, logs.
//
// A line end in a value would begin a new line in a log. An escape sequence would control a
// terminal. A direction mark would change the order in which the rest is shown. So these are
// written as escapes, and long text is cut.

extension Unicode.Scalar {
  /// True if the scalar only adds to a text.
  ///
  /// It is no control character, no line end, and no mark that changes the direction of the text
  /// after it.
  package var isHarmless: Bool {
    switch value {
    case 0x20...0x7E: true
    case 0...0x9F, 0x2028...0x202E, 0x2066...0x2069: false
    // Other direction marks, and scalars that are invisible.
    case 0x061C, 0x200B, 0x200E...0x200F, 0xFEFF, 0xE0000...0xE007F: false
    default: true
    }
  }

  /// The scalar as Swift writes it in a literal: `\n`, or `\u{1B}`.
  package var writtenOut: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\0": "\\0"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}

extension StringProtocol {
  package var isHarmless: Bool { unicodeScalars.allSatisfy(\.isHarmless) }

  /// The text with escapes, such as `\n` and `\u{1B}`, for all that isn't harmless.
  package var harmless: String { isHarmless ? String(self) : escaped() }

  /// Returns the same with a backslash before each of some harmless signs.
  func escaped(_ signs: [Unicode.Scalar] = []) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isHarmless {
        if signs.contains(scalar) { text.append("\\") }
        text.append(scalar)
      } else {
        text.append(contentsOf: scalar.writtenOut.unicodeScalars)
      }
    }
    return String(text)
  }

  /// Returns the same for the first `limit` scalars, and the number of bytes if the text is longer.
  ///
  /// - Complexity: O(*limit*) for a native string.
  package func harmless(atMost limit: Int) -> String {
    guard let end = cut(atMost: limit) else { return harmless }
    return self[..<end].harmless + "… (\(utf8.count) bytes)"
  }

  /// Returns the end of the first `limit` scalars, or nil if the text is no longer than that.
  fileprivate func cut(atMost limit: Int) -> Index? {
    let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex)
    return end == endIndex ? nil : end
  }
}

extension StoredValue {
  /// The value as it is written in Swift, cut if it is long: `"x…" (8000000 bytes)`.
  package var brief: String {
    switch self {
    case .null, .integer, .real: return literal
    case .text(let text):
      guard let end = text.cut(atMost: WordLimit.value) else { return literal }
      return ObjectIDScanner.quoted(text[..<end] + "…") + " (\(text.utf8.count) bytes)"
    case .bytes(let bytes):
      guard bytes.count > WordLimit.value / 2 else { return literal }
      return
        "0x\(TextBytes.hexadecimal(Array(bytes.prefix(WordLimit.value / 2))))… (\(bytes.count) bytes)"
    case .list(let parts):
      let few = parts.prefix(8).map(\.brief).joined(separator: ", ")
      return parts.count > 8 ? "(\(few), … \(parts.count - 8) more)" : "(\(few))"
    }
  }
}

extension ObjectID {
  /// The description, with the name and the id cut if they are long.
  package var brief: String {
    let name =
      entityName.cut(atMost: WordLimit.value) == nil
      ? writtenName : StoredValue.text(entityName).brief
    return text(name, \.brief)
  }
}

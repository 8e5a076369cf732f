/// The words of a text, as full-text search compares them.
///
///     FoldedWords("Zoë's café, 2 cups")  // zoe, s, cafe, 2, cups
///
/// A word is a run of letters, digits and marks with a letter or a digit in it. Case and marks are
/// folded (`TextFolding`). Signs that aren't shown, such as the selector in a red heart, and signs
/// that enclose others are left out. All other scalars separate words. So a script that writes no
/// spaces gives one word for each run.
package struct FoldedWords {
  /// The greatest number of a word's bytes that count.
  ///
  /// FTS5 cuts words, too, at a greater length.
  private static let longest = 256
  private static let folding: TextFolding = [.case, .diacritics]

  /// The UTF-8 of all words, one after another.
  private var bytes: [UInt8] = []
  /// The end of each word in `bytes`.
  private var ends: [Int] = []
  /// The place of each word in the UTF-8 of the text.
  package private(set) var places: [Range<Int>] = []

  /// Finds the words of a text.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  package init(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      var run = Run()
      var place = 0
      while place < utf8.count {
        let (kind, length) = Self.step(utf8, at: place)
        if kind == .ignored && run.start == nil {
          // It belongs to the sign before.
        } else if kind == .separator {
          append(utf8, run, to: place)
          run = Run()
        } else {
          if run.start == nil { run.start = place }
          run.isASCII = run.isASCII && length == 1
          run.isWord = run.isWord || kind == .letter
          run.hasIgnored = run.hasIgnored || kind == .ignored
        }
        place += length
      }
      append(utf8, run, to: place)
    }
  }

  /// The kind of a scalar, for the words of a text.
  private enum Kind {
    case separator
    /// A letter or a digit.
    case letter
    case mark
    /// A sign that isn't shown, or one that encloses others; it is left out.
    case ignored
  }

  /// Scalars of which none separates words.
  private struct Run {
    var start: Int?
    var isASCII = true
    /// True if there is a letter or a digit.
    var isWord = false
    var hasIgnored = false
  }

  /// Returns the kind of the scalar at a place, and its length in bytes.
  private static func step(
    _ utf8: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> (kind: Kind, length: Int) {
    let first = utf8[place]
    if first < 0x80 {
      let isWord = lowercaseLetter(first) < 26 || first &- UInt8(ascii: "0") < 10
      return (isWord ? .letter : .separator, 1)
    }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = UInt32(first & (0xFF >> UInt8(length + 1)))
    for next in utf8[(place + 1)..<(place + length)] { value = value << 6 | UInt32(next & 0x3F) }
    return (Unicode.Scalar(value).map(kind) ?? .separator, length)
  }

  private static func lowercaseLetter(_ byte: UInt8) -> UInt8 { (byte | 0x20) &- UInt8(ascii: "a") }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .decimalNumber,
      .letterNumber, .otherNumber:
      return .letter
    case .otherLetter: return properties.isDefaultIgnorableCodePoint ? .ignored : .letter
    case .nonspacingMark: return properties.isDefaultIgnorableCodePoint ? .ignored : .mark
    case .spacingMark: return .mark
    case .enclosingMark: return .ignored
    case .format:
      // A space of no width is a space.
      return properties.isDefaultIgnorableCodePoint && scalar != "\u{200B}" ? .ignored : .separator
    default: return .separator
    }
  }

  private mutating func append(_ utf8: UnsafeBufferPointer<UInt8>, _ run: Run, to end: Int) {
    guard let first = run.start, run.isWord else { return }
    let start = bytes.count
    if run.isASCII {
      for byte in utf8[first..<end] { bytes.append(TextFolding.lowercaseASCII(byte)) }
    } else {
      var word = String(decoding: utf8[first..<end], as: UTF8.self)
      if run.hasIgnored { word.unicodeScalars.removeAll { Self.kind($0) == .ignored } }
      bytes += Self.folding.fold(word)
    }
    guard bytes.count > start else { return }
    if bytes.count - start > Self.longest {
      var length = start + Self.longest
      while bytes[length] & 0xC0 == 0x80 { length -= 1 }
      bytes.removeSubrange(length...)
    }
    ends.append(bytes.count)
    places.append(first..<end)
  }

  /// A number that another version of Unicode's tables most likely changes.
  ///
  /// It is made of the kinds of every eighth scalar of the planes that have letters.
  package static let fingerprint: UInt32 = {
    var hash: UInt32 = 2_166_136_261
    for value in stride(from: UInt32(0xA0), to: 0x33480, by: 8) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      hash = (hash ^ (kind(scalar) == .separator ? 1 : value)) &* 16_777_619
    }
    return hash
  }()

  package var count: Int { ends.count }

  /// The UTF-8 of the word at an index.
  package subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// The words with spaces between them.
  package var joined: String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + count)
    for index in 0..<count {
      if index > 0 { result.append(UInt8(ascii: " ")) }
      result += self[index]
    }
    return String(decoding: result, as: UTF8.self)
  }
}

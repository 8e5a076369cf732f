/// The words of a text, as full-text search compares them.
///
///     FoldedWords("Zoë's café, 2 cups")  // zoe, s, cafe, 2, cups
///
/// A word is a run of letters, digits and marks. Case and marks are folded (`TextFolding`). All
/// other scalars separate words. So a script that writes no spaces gives one word for each run.
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
      var start: Int?
      var isASCII = true
      var place = 0
      while place < utf8.count {
        let (isWord, length) = Self.step(utf8, at: place)
        if isWord {
          if start == nil { (start, isASCII) = (place, true) }
          isASCII = isASCII && length == 1
        } else if let from = start {
          append(utf8, from..<place, isASCII)
          start = nil
        }
        place += length
      }
      if let start { append(utf8, start..<place, isASCII) }
    }
  }

  /// Returns true if the scalar at a place belongs to a word, and its length in bytes.
  private static func step(
    _ utf8: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> (isWord: Bool, length: Int) {
    let first = utf8[place]
    if first < 0x80 {
      return (lowercaseLetter(first) < 26 || first &- UInt8(ascii: "0") < 10, 1)
    }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = UInt32(first & (0xFF >> UInt8(length + 1)))
    for next in utf8[(place + 1)..<(place + length)] { value = value << 6 | UInt32(next & 0x3F) }
    return (Unicode.Scalar(value).map(isWord) ?? false, length)
  }

  private static func lowercaseLetter(_ byte: UInt8) -> UInt8 { (byte | 0x20) &- UInt8(ascii: "a") }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }

  private mutating func append(
    _ utf8: UnsafeBufferPointer<UInt8>, _ place: Range<Int>, _ isASCII: Bool
  ) {
    let start = bytes.count
    if isASCII {
      for byte in utf8[place] { bytes.append(TextFolding.lowercaseASCII(byte)) }
    } else {
      bytes += Self.folding.fold(String(decoding: utf8[place], as: UTF8.self))
    }
    // A run of marks alone is no word.
    guard bytes.count > start else { return }
    if bytes.count - start > Self.longest {
      var end = start + Self.longest
      while bytes[end] & 0xC0 == 0x80 { end -= 1 }
      bytes.removeSubrange(end...)
    }
    ends.append(bytes.count)
    places.append(place)
  }

  /// A number that another version of Unicode's tables most likely changes.
  ///
  /// It is made of the kinds of every eighth scalar of the planes that have letters.
  package static let fingerprint: UInt32 = {
    var hash: UInt32 = 2_166_136_261
    for value in stride(from: UInt32(0xA0), to: 0x33480, by: 8) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      hash = (hash ^ (isWord(scalar) ? value : 1)) &* 16_777_619
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

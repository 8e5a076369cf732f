/// What a comparison of text leaves out.
///
///     let folding: TextFolding = [.case, .diacritics]  // takes "İZMİR" as "izmir"
///
/// A folding knows no language and no locale. It goes scalar by scalar: two texts in a row fold to
/// the folding of one and that of the other, unless a Korean syllable is written in letters there
/// and `diacritics` joins them. To fold twice is to fold once.
///
/// Marks are left out before case is. So with both options "ᾳ" is "α", as it is with `diacritics`,
/// though with `case` alone it is its uppercase, "ΑΙ".
public struct TextFolding: OptionSet, Hashable, Sendable {
  /// The bits of the options.
  public let rawValue: UInt8

  /// Creates a folding from the bits of its options.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Whether letters are upper, lower or title case.
  ///
  /// Each scalar becomes the lowercase of its uppercase, by Unicode's full mappings, which are those
  /// of no language. So "ß" is "SS", "ς" is "σ", the Kelvin sign is "k", and a dotless "ı" is "i".
  /// A dotted "İ" is "i" with a dot above, which is a mark and not case.
  ///
  /// "é" in one scalar and "e" with an accent remain two texts, as their bytes differ; `diacritics`
  /// makes them one. The mappings are those of the Swift that runs, and a later one may know more
  /// letters.
  public static let `case` = TextFolding(rawValue: 1)

  /// The marks that combine with a letter, and whether a letter comes with its marks in one scalar.
  ///
  /// Text is decomposed canonically, and every scalar goes whose combining class isn't 0: accents,
  /// but also points of Hebrew and Arabic, the nukta and virama of Indic scripts, and the voicing
  /// marks of kana. Texts that are canonically equivalent become the same bytes. Korean syllables
  /// stay whole, and their letters, written apart, become syllables.
  ///
  /// A letter that has no decomposition, as "ø" and "ł", is a letter of its own and stays. The data
  /// are the library's own and the same on every platform.
  public static let diacritics = TextFolding(rawValue: 2)

  /// Returns the UTF-8 of a text without what the options name.
  ///
  ///     TextFolding.case.fold("STRASSE") == TextFolding.case.fold("straße")  // true
  ///     TextFolding.diacritics.fold("Zoë") == Array("Zoe".utf8)  // true
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text. Quickest for ASCII.
  package func fold(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8(foldASCII) ?? foldScalars(of: text)
  }

  /// The folding of bytes that are all ASCII, otherwise nil.
  private func foldASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard !isEmpty else { return Array(bytes) }
    guard bytes.reduce(0, |) < 0x80 else { return nil }
    guard contains(.case) else { return Array(bytes) }
    // An array of capacity 0 is one that all share, and would be written to.
    if bytes.isEmpty { return [] }
    return [UInt8](unsafeUninitializedCapacity: bytes.count) { result, count in
      for index in bytes.indices {
        result.initializeElement(at: index, to: Self.lowercaseASCII(bytes[index]))
      }
      count = bytes.count
    }
  }

  private func foldScalars(of text: String) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    func append(_ scalar: Unicode.Scalar) {
      guard contains(.case) else { return result.append(contentsOf: scalar.utf8) }
      for folded in Self.foldCase(of: scalar) { result.append(contentsOf: folded.utf8) }
    }

    guard contains(.diacritics) else {
      text.unicodeScalars.forEach(append)
      return result
    }
    let table = BaseTable.shared
    // Held back, since a letter of its Korean syllable may be next.
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      for base in table.bases(of: scalar) {
        if let syllable = last.flatMap({ HangulSyllable.joining($0, base) }) {
          last = syllable
        } else {
          if let last { append(last) }
          last = base
        }
      }
    }
    if let last { append(last) }
    return result
  }
}

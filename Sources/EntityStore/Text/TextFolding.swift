/// The differences between texts that a comparison ignores.
///
///     let folding: TextFolding = [.case, .diacritics]  // treats "İZMİR" as "izmir"
///
/// A folding doesn't depend on a language or a locale. It works scalar by scalar. So the folding of
/// two joined texts is the folding of the first followed by that of the second. The exception is a
/// Korean syllable whose letters are divided between the two texts, since `diacritics` joins them.
/// To fold twice gives the same as to fold once.
///
/// Marks are removed before case is folded. So with both options "ᾳ" is "α", as it is with
/// `diacritics`. With `case` alone it equals its uppercase, "ΑΙ": both become "αι".
public struct TextFolding: OptionSet, Hashable, Sendable {
  /// The bits of the options.
  public let rawValue: UInt8

  /// Creates a folding from the bits of its options.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The difference between upper, lower and title case.
  ///
  /// Each scalar becomes the lowercase of its uppercase. The mappings are Unicode's full ones,
  /// which belong to no language. So "ß" equals "SS" (both become "ss"), "ς" is "σ", the Kelvin
  /// sign is "k", and a dotless "ı" is "i". A dotted "İ" is "i" with a dot above, since the dot is
  /// a mark and not case.
  ///
  /// "é" in one scalar and "e" with an accent remain two texts, since their bytes differ;
  /// `diacritics` makes them the same. The mappings are those of the Swift version at run time. A
  /// later version may know more letters.
  public static let `case` = TextFolding(rawValue: 1)

  /// The marks that combine with a letter, and the difference between one scalar and several.
  ///
  /// Text is decomposed canonically, and every scalar whose combining class isn't 0 is removed.
  /// These are accents, but also points of Hebrew and Arabic, the nukta and virama of Indic
  /// scripts, and the voicing marks of kana. Texts that are canonically equivalent become the same
  /// bytes. Korean syllables stay whole, and Korean letters that are written apart become
  /// syllables.
  ///
  /// A letter without a decomposition, such as "ø" or "ł", is a separate letter and stays. The data
  /// are part of the library and the same on every platform.
  public static let diacritics = TextFolding(rawValue: 2)

  /// Returns the UTF-8 of a text without the differences that the options name.
  ///
  ///     TextFolding.case.fold("STRASSE") == TextFolding.case.fold("straße")  // true
  ///     TextFolding.diacritics.fold("Zoë") == Array("Zoe".utf8)  // true
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text. Quickest for ASCII.
  package func fold(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8(foldASCII) ?? foldScalars(of: text)
  }

  /// Returns the folding of bytes that are all ASCII, otherwise nil.
  private func foldASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard !isEmpty else { return Array(bytes) }
    guard bytes.reduce(0, |) < 0x80 else { return nil }
    guard contains(.case) else { return Array(bytes) }
    // All arrays of capacity 0 share their memory, and the code below would write to it.
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
    // The last base is held back, since a letter of the same Korean syllable may be next.
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

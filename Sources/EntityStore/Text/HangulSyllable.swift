/// Korean syllables and the letters they are made of.
enum HangulSyllable {
  /// Returns the syllable of two scalars, or nil if they make none.
  ///
  /// A leading letter and a vowel make a syllable. That syllable and a trailing letter make
  /// another.
  ///
  ///     HangulSyllable.joining("\u{1100}", "\u{1161}")  // "가"
  ///     HangulSyllable.joining("가", "\u{11A8}")  // "각"
  ///
  /// The arithmetic is that of the Unicode Standard, 3.12.
  static func joining(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    let (first, second) = (first.value, second.value)
    if leading.contains(first), vowels.contains(second) {
      let pair = (first - leading.lowerBound) * 21 + second - vowels.lowerBound
      return Unicode.Scalar(syllables.lowerBound + pair * 28)
    }
    if syllables.contains(first), (first - syllables.lowerBound) % 28 == 0,
      trailing.contains(second)
    {
      return Unicode.Scalar(first + second - trailing.lowerBound + 1)
    }
    return nil
  }

  private static let leading: Range<UInt32> = 0x1100..<0x1113
  private static let vowels: Range<UInt32> = 0x1161..<0x1176
  private static let trailing: Range<UInt32> = 0x11A8..<0x11C3
  private static let syllables: Range<UInt32> = 0xAC00..<0xD7A4
}

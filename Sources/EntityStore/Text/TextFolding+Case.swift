extension TextFolding {
  /// Returns the scalars that case folding makes of a scalar: one for most, two or three for a few.
  @inline(__always)
  static func foldCase(of scalar: Unicode.Scalar) -> ScalarTriple {
    let number = Int(scalar.value)
    return number < foldedAlphabets.count ? foldedAlphabets[number] : mapCase(of: scalar)
  }

  @inline(__always)
  static func lowercaseASCII(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// The foldings of Latin, Greek, Cyrillic and Armenian, kept because Unicode's mappings are slow.
  private static let foldedAlphabets = (0..<0x590).compactMap(Unicode.Scalar.init).map(mapCase)

  /// Returns the lowercase of the uppercase.
  ///
  /// The scalar is made lowercase first because of "ẞ". It is the only scalar whose uppercase is
  /// itself although its lowercase has another uppercase, "SS".
  private static func mapCase(of scalar: Unicode.Scalar) -> ScalarTriple {
    guard scalar.properties.changesWhenCaseMapped else { return ScalarTriple([scalar]) }
    var result = ScalarTriple([])
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars {
        for folded in upper.properties.lowercaseMapping.unicodeScalars { result.append(folded) }
      }
    }
    return result
  }
}

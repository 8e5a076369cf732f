extension TextFolding {
  /// The scalars that a folding of case makes of this one: one for most, two or three for a few.
  @inline(__always)
  static func foldCase(of scalar: Unicode.Scalar) -> ScalarTriple {
    let number = Int(scalar.value)
    return number < foldedAlphabets.count ? foldedAlphabets[number] : mapCase(of: scalar)
  }

  @inline(__always)
  static func lowercaseASCII(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// The foldings of Latin, Greek, Cyrillic and Armenian, since the mappings aren't quick.
  private static let foldedAlphabets = (0..<0x590).compactMap(Unicode.Scalar.init).map(mapCase)

  /// The lowercase of the uppercase.
  ///
  /// A first lowercase is for "ẞ", the one scalar whose uppercase is itself though its lowercase
  /// has another, "SS".
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

/// Returns true if a text is sure to be in Normalization Form C.
///
/// Equal texts in that form have the same bytes. Each scalar must be in a range in which every
/// scalar is in that form beside every other: all below U+0300, Greek and Cyrillic letters, kana,
/// Han, Hangul syllables, and common punctuation. That is so by the property NFC_Quick_Check of the
/// Unicode Character Database. Other text may be in the form, too, but false is returned. The bytes
/// have to be valid UTF-8.
@usableFromInline
func _isComposed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
  var offset = _lengthOfCommonScalars(UnsafeRawBufferPointer(text))
  while offset < text.count {
    let first = text[offset]
    // The scalar of a byte that continues one has been looked at.
    if first < 0xC0 {
      offset &+= 1
    } else if first < 0xE0 {
      guard _isComposed(first, text[offset &+ 1]) else { return false }
      offset &+= 2
    } else if first < 0xF0 {
      let rest = UInt32(text[offset &+ 1] & 0x3F) << 6 | UInt32(text[offset &+ 2] & 0x3F)
      guard _isComposed(UInt32(first & 0x0F) << 12 | rest) else { return false }
      offset &+= 3
    } else {
      return false
    }
  }
  return true
}

/// Returns the length of a beginning that has only ASCII and Cyrillic letters to U+047F.
///
/// It is a multiple of eight bytes, so a scalar may continue after it.
private func _lengthOfCommonScalars(_ text: UnsafeRawBufferPointer) -> Int {
  var offset = 0
  while offset &+ 8 <= text.count {
    let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    // The first byte of a scalar has its two highest bits set; it must be 0xD0 or 0xD1.
    let firsts = (word & word &<< 1 & 0x8080_8080_8080_8080) &>> 7 &* 0xFF
    if (word ^ 0xD0D0_D0D0_D0D0_D0D0) & 0xFEFE_FEFE_FEFE_FEFE & firsts != 0 { break }
    offset &+= 8
  }
  return offset
}

/// Returns true for the two bytes of a scalar that is composed beside every other.
@inline(__always)
private func _isComposed(_ first: UInt8, _ second: UInt8) -> Bool {
  switch first {
  case 0xC2...0xCB: true  // U+0080 to U+02FF
  case 0xCE: second >= 0x88  // Greek from U+0388
  case 0xCF...0xD1: true  // Greek, and Cyrillic to U+047F
  default: false
  }
}

/// Returns true for a scalar above U+07FF that is composed beside every other.
@inline(__always)
private func _isComposed(_ scalar: UInt32) -> Bool {
  switch scalar {
  case 0x2010...0x2027: true  // dashes and quotation marks
  case 0x3000...0x3029: true  // punctuation of Han
  case 0x3041...0x3096, 0x309B...0x30FF: true  // kana without the marks that combine
  case 0x3400...0x4DBF, 0x4E00...0x9FFF: true  // Han
  case 0xAC00...0xD7A3: true  // syllables of Hangul
  default: false
  }
}

/// A fast search for the common beginning of two texts.
enum SharedStart {
  /// Returns the number of bytes at the start that are ASCII and, ignoring case, equal in both.
  @inline(__always)
  static func count(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let count = min(a.count, b.count)
    var position = 0
    while position &+ 8 <= count {
      let x = word(a, position)
      let y = word(b, position)
      let difference = (lowercase(x) ^ lowercase(y)) | ((x | y) & eight(0x80))
      guard difference == 0 else { return position &+ difference.trailingZeroBitCount / 8 }
      position &+= 8
    }
    while position < count {
      let x = a[position]
      let y = b[position]
      guard x | y < 0x80, TextFolding.lowercaseASCII(x) == TextFolding.lowercaseASCII(y) else {
        break
      }
      position &+= 1
    }
    return position
  }

  /// Returns eight bytes as one number, the first byte lowest.
  @inline(__always)
  private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> UInt64 {
    UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + position)
      .loadUnaligned(as: UInt64.self).littleEndian
  }

  /// Returns eight ASCII characters in lowercase.
  ///
  /// From the first byte that isn't ASCII on, the result is unspecified.
  @inline(__always)
  private static func lowercase(_ word: UInt64) -> UInt64 {
    // The sums set a byte's highest bit from "A" on, and from the character after "Z" on.
    let fromA = word &+ eight(0x80 - UInt8(ascii: "A"))
    let behindZ = word &+ eight(0x80 - UInt8(ascii: "Z") - 1)
    return word | (fromA & ~behindZ & eight(0x80)) >> 2
  }

  @inline(__always)
  private static func eight(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}

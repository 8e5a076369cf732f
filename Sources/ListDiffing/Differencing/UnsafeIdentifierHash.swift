/// A hash function for the identifiers of one table.
///
/// Bitwise identifiers are hashed by their bytes, others by their `hashValue`. Both are multiplied
/// into a seed that differs between processes. So an attacker can't make many identifiers share a
/// slot, and a `hashValue` may be any number. Text in Normalization Form C is hashed by its bytes,
/// too, if that form can be seen at a glance. Other text can't be hashed this way: a Kelvin sign
/// and a K are equal. If a table contains such text, it has to be built again with the standard
/// hash.
@usableFromInline
struct _UnsafeIdentifierHash<Identifier: Hashable> {
  @usableFromInline let seed: UInt64
  @usableFromInline let isBitwise: Bool
  @usableFromInline let isTextByBytes: Bool

  /// True if there was text that can't be hashed by its bytes.
  ///
  /// All hashes are useless then.
  @usableFromInline var isUnfit = false

  @inlinable
  init(seed: Int, isTextByBytes: Bool) {
    self.seed = UInt64(truncatingIfNeeded: seed.hashValue)
    isBitwise = Identifier.self is any BitwiseIdentifier.Type
    self.isTextByBytes = isTextByBytes
  }

  /// Returns a hash with well-distributed bits.
  @inlinable
  @inline(__always)
  mutating func callAsFunction(_ identifier: Identifier) -> UInt64 {
    if Identifier.self == Int.self, let number = identifier as? Int {
      return Self.mix(UInt64(truncatingIfNeeded: number) ^ seed)
    }
    if Identifier.self == String.self, isTextByBytes, let text = identifier as? String {
      if let hash = hash(text) { return hash }
      isUnfit = true
      return 0
    }
    if isBitwise {
      return withUnsafeBytes(of: identifier) { hash($0).hash }
    }
    // A hash value may be a small number: that of an object of Apple's frameworks is its address.
    return Self.mix(UInt64(truncatingIfNeeded: identifier.hashValue) ^ seed)
  }

  /// Returns nil if equal text may have other bytes, or if the bytes aren't contiguous.
  @inlinable
  @inline(__always)
  func hash(_ text: String) -> UInt64? {
    let result =
      text.utf8.withContiguousStorageIfAvailable { text -> (hash: UInt64, highBits: UInt64)? in
        let result = hash(UnsafeRawBufferPointer(text))
        return result.highBits == 0 || _isComposed(text) ? result : nil
      } ?? nil
    return result?.hash
  }

  /// Returns the hash of some bytes, and the highest bits of all bytes combined in one word.
  @inlinable
  @inline(__always)
  func hash(_ bytes: UnsafeRawBufferPointer) -> (hash: UInt64, highBits: UInt64) {
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var bits: UInt64 = 0
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = Self.mix(hash ^ word)
      bits |= word
      offset += 8
    }
    if offset < bytes.count {
      var word: UInt64 = 0
      while offset < bytes.count {
        word = word << 8 | UInt64(bytes[offset])
        offset += 1
      }
      hash = Self.mix(hash ^ word)
      bits |= word
    }
    return (hash, bits & 0x8080_8080_8080_8080)
  }

  /// Returns a product whose halves are folded.
  ///
  /// The factor is Knuth's: 2^64 divided by the golden ratio.
  @inlinable
  @inline(__always)
  static func mix(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

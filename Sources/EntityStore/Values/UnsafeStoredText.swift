extension String {
  /// Creates the text of a storage's bytes, or returns nil if they aren't UTF-8.
  package init?(exactly bytes: UnsafeBufferPointer<UInt8>) {
    var text = String(decoding: bytes, as: UTF8.self)
    guard text.withUTF8({ Self.areSame($0, bytes) }) else { return nil }
    self = text
  }

  /// Returns true if both are the same, comparing eight bytes at a time.
  private static func areSame(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard a.count == b.count else { return false }
    let (x, y) = (UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
    var place = 0
    while place &+ 8 <= x.count {
      if x.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        != y.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      {
        return false
      }
      place &+= 8
    }
    while place < x.count {
      if x[place] != y[place] { return false }
      place &+= 1
    }
    return true
  }
}

extension StoredValue {
  /// Creates the text of a storage's bytes.
  ///
  /// Bytes that aren't UTF-8 stay bytes. Another tool may have written them as text. Read as text,
  /// they would differ from the text that SQL compares and finds.
  package init(textOf bytes: UnsafeBufferPointer<UInt8>) {
    self = String(exactly: bytes).map { .text($0) } ?? .bytes(Array(bytes))
  }
}

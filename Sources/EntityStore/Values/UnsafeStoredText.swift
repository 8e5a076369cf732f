extension String {
  /// The text of a storage's bytes, or nil if they are no UTF-8.
  package init?(exactly bytes: UnsafeBufferPointer<UInt8>) {
    var text = String(decoding: bytes, as: UTF8.self)
    guard text.withUTF8({ Self.areSame($0, bytes) }) else { return nil }
    self = text
  }

  /// Compares eight bytes at a time.
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
  /// The text of a storage's bytes.
  ///
  /// Bytes that are no UTF-8, which another tool may have written as text, stay bytes: as text they would
  /// be read as another one than SQL compares and finds.
  package init(textOf bytes: UnsafeBufferPointer<UInt8>) {
    self = String(exactly: bytes).map { .text($0) } ?? .bytes(Array(bytes))
  }
}

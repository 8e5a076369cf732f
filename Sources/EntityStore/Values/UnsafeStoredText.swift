extension String {
  /// Creates the text of a storage's bytes, or returns nil if they aren't UTF-8.
  package init?(exactly bytes: UnsafeBufferPointer<UInt8>) {
    var text = String(decoding: bytes, as: UTF8.self)
    let isExact = text.withUTF8 {
      $0.count == bytes.count && TextBytes.compareBytes($0, bytes) == 0
    }
    guard isExact else { return nil }
    self = text
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

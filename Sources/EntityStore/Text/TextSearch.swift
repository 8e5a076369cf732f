/// A text to search for in other texts, prepared once.
struct TextSearch: Sendable {
  private let test: TextTest
  private let part: [UInt8]
  private let folding: TextFolding

  init(_ test: TextTest, _ part: String, ignoring folding: TextFolding) {
    self.test = test
    self.part = folding.fold(part)
    self.folding = folding
  }

  /// Returns true if `text` passes the test, compared byte by byte after folding.
  func holds(_ text: String) -> Bool {
    if !folding.isEmpty { return folding.fold(text).withUnsafeBufferPointer(holds) }
    // Text in contiguous memory is searched in place.
    return text.utf8.withContiguousStorageIfAvailable(holds)
      ?? Array(text.utf8).withUnsafeBufferPointer(holds)
  }

  private func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard part.count <= text.count else { return false }
    return part.withUnsafeBufferPointer { part in
      switch test {
      case .whole: part.count == text.count && Self.starts(text[...], with: part)
      case .prefix: Self.starts(text[...], with: part)
      case .suffix: Self.starts(text[(text.count - part.count)...], with: part)
      case .infix:
        (0...(text.count - part.count)).contains { start in
          Self.starts(text[start...], with: part)
        }
      }
    }
  }

  private static func starts(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, with part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var index = text.startIndex
    for byte in part {
      if text[index] != byte { return false }
      index &+= 1
    }
    return true
  }
}

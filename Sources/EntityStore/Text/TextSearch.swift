internal import CText

/// A text to search for in other texts, prepared once.
package struct TextSearch: Sendable {
  private let test: TextTest
  private let part: [UInt8]
  private let folding: TextFolding

  package init(_ test: TextTest, _ part: String, ignoring folding: TextFolding) {
    self.test = test
    self.part = folding.fold(part)
    self.folding = folding
  }

  /// Returns true if `text` passes the test, compared byte by byte after folding.
  func holds(_ text: String) -> Bool {
    // Text in contiguous memory is searched in place.
    if let result = text.utf8.withContiguousStorageIfAvailable(holds) { return result }
    return Array(text.utf8).withUnsafeBufferPointer(holds)
  }

  /// Returns true if a text passes the test; its bytes are UTF-8.
  package func holds(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    if folding.isEmpty { return find(in: utf8, ignoringCase: false) }
    // The folding of ASCII is a matter of single bytes.
    if sb_text_is_ascii(utf8.baseAddress, utf8.count) != 0 {
      return find(in: utf8, ignoringCase: folding.contains(.case))
    }
    return folding.fold(String(decoding: utf8, as: UTF8.self))
      .withUnsafeBufferPointer { find(in: $0, ignoringCase: false) }
  }

  private func find(in text: UnsafeBufferPointer<UInt8>, ignoringCase: Bool) -> Bool {
    part.withUnsafeBufferPointer { part in
      sb_text_holds(
        test.number, text.baseAddress, text.count, part.baseAddress, part.count,
        ignoringCase ? 1 : 0) != 0
    }
  }
}

extension TextTest {
  /// The test's number in C, and for storages.
  package var number: Int32 {
    switch self {
    case .prefix: Int32(sb_text_prefix)
    case .suffix: Int32(sb_text_suffix)
    case .infix: Int32(sb_text_infix)
    case .whole: Int32(sb_text_whole)
    }
  }

  package init?(number: Int32) {
    let tests: [TextTest] = [.prefix, .suffix, .infix, .whole]
    guard let test = tests.first(where: { $0.number == number }) else { return nil }
    self = test
  }
}

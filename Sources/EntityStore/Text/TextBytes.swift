/// A comparison of texts by the bytes of their UTF-8, as in SQLite's BINARY collation.
///
/// Swift's `==` treats canonically equivalent texts as equal, and its `<` isn't a strict total
/// order on text that isn't normalised.
package enum TextBytes {
  package static func equal(_ a: String, _ b: String) -> Bool {
    // Equal bytes are equal text. So `==` comes first, since it is fast if the texts differ.
    a == b && compare(a, b) == 0
  }

  package static func equal(_ a: String?, _ b: String?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a?, let b?): equal(a, b)
    default: false
    }
  }

  package static func compare(_ a: String, _ b: String) -> Int {
    withUTF8(of: a, b) { a, b in compareBytes(a, b) }
  }

  package static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBufferPointer { a in b.withUnsafeBufferPointer { b in compareBytes(a, b) } }
  }

  static func compareBytes(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let count = min(a.count, b.count)
    var index = 0
    // Compares eight bytes at a time as one number, the first byte highest.
    while index &+ 8 <= count {
      let x = UnsafeRawPointer(a.baseAddress.unsafelyUnwrapped + index)
        .loadUnaligned(as: UInt64.self)
      let y = UnsafeRawPointer(b.baseAddress.unsafelyUnwrapped + index)
        .loadUnaligned(as: UInt64.self)
      if x != y { return x.bigEndian < y.bigEndian ? -1 : 1 }
      index &+= 8
    }
    while index < count {
      if a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
      index &+= 1
    }
    return a.count - b.count
  }

  package static func hash(_ text: String, into hasher: inout Hasher) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isDone == nil { Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    hasher.combine(0xFF as UInt8)
  }

  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var result: [UInt8] = []
    for byte in bytes {
      result.append(digits[Int(byte >> 4)])
      result.append(digits[Int(byte & 15)])
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the bytes of hexadecimal digits, or nil if there are others among them.
  package static func bytes(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var place = digits.startIndex
    while place < digits.endIndex {
      guard let high = digit(digits[place]), let low = digit(digits[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
      place += 2
    }
    return bytes
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Appends a text in JSON: in quotes, with escapes for what JSON doesn't take as it is.
  package static func appendJSON(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for (place, byte) in utf8.enumerated() where needsEscape(byte) {
        bytes.append(contentsOf: utf8[start..<place])
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case 0..<0x20: bytes.append(contentsOf: "u00\(hexadecimal([byte]))".utf8)
        default: bytes.append(byte)
        }
        start = place + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}

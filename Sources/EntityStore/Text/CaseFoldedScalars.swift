/// The scalars of a text after case folding, one after the other.
///
/// They are the scalars of `TextFolding.case`, made on demand. So a comparison reads no further
/// than it must, and allocates nothing.
struct CaseFoldedScalars {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int
  /// The remaining scalars of one that folds to several.
  private var pending = ScalarTriple([])

  /// Creates the scalars of a text's UTF-8, from a position where a scalar begins.
  @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// Returns the number of the next scalar, or -1 at the end, which comes before every scalar.
  @inline(__always)
  mutating func next() -> Int {
    guard pending.isEmpty else { return nextPending() }
    guard position < bytes.count else { return -1 }
    let byte = bytes[position]
    guard byte < 0x80 else { return nextBeyondASCII() }
    position &+= 1
    return Int(TextFolding.lowercaseASCII(byte))
  }

  /// Reads the next scalar if it is an ASCII digit, otherwise returns -1 and reads nothing.
  ///
  /// A pending scalar is never a digit, since only a digit folds to a digit.
  @inline(__always)
  mutating func nextDigit() -> Int {
    guard pending.isEmpty, position < bytes.count else { return -1 }
    let byte = bytes[position]
    guard byte &- UInt8(ascii: "0") < 10 else { return -1 }
    position &+= 1
    return Int(byte)
  }

  private mutating func nextPending() -> Int {
    pending.next().map { Int($0.value) } ?? -1
  }

  @inline(never)
  private mutating func nextBeyondASCII() -> Int {
    var decoder = UTF8()
    var rest = bytes[position...].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else {
      preconditionFailure("The bytes aren't UTF-8")
    }
    position &+= scalar.utf8.count
    pending = TextFolding.foldCase(of: scalar)
    return nextPending()
  }
}

/// Calls `body` with the UTF-8 of two texts.
///
/// A text is copied only if it isn't held in UTF-8.
@inline(__always)
func withUTF8<Result>(
  of a: String, _ b: String,
  _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
  let quick = a.utf8.withContiguousStorageIfAvailable { a in
    b.utf8.withContiguousStorageIfAvailable { b in body(a, b) }
  }
  if let result = quick ?? nil { return result }
  var (a, b) = (a, b)
  return a.withUTF8 { a in b.withUTF8 { b in body(a, b) } }
}

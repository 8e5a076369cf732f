/// Up to three scalars in one word.
///
/// No scalar folds to more. Unicode promises this for case, and the table of bases is made that
/// way.
struct ScalarTriple: Sequence, IteratorProtocol, Sendable {
  /// Twenty-one bits for each scalar, the first scalar lowest: its number plus one, or 0 for none.
  private var bits: UInt64 = 0

  init(_ scalars: some Sequence<Unicode.Scalar>) {
    for scalar in scalars { append(scalar) }
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    let used = (UInt64.bitWidth - bits.leadingZeroBitCount + 20) / 21 * 21
    precondition(used < 63, "A fourth scalar doesn't fit")
    bits |= (UInt64(scalar.value) + 1) << UInt64(used)
  }

  var isEmpty: Bool { bits == 0 }

  mutating func next() -> Unicode.Scalar? {
    guard bits != 0 else { return nil }
    defer { bits >>= 21 }
    return Unicode.Scalar(UInt32(bits & 0x1F_FFFF) - 1)
  }
}

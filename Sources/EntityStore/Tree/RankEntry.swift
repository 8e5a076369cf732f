/// An entry of a ``RankTree``: the beginning of a row's key, and the slot of the row.
///
///     RankEntry(prefix: 0x5369_676E_616C_0000, slot: 7)
///
/// It takes 12 bytes. The prefix is stored as two halves, since a `UInt64` would make it 16.
@usableFromInline
package struct RankEntry: Sendable, Equatable, BitwiseCopyable {
  @usableFromInline var low: UInt32
  @usableFromInline var high: UInt32
  @usableFromInline package var slot: UInt32

  @inlinable package init(prefix: UInt64, slot: UInt32) {
    low = UInt32(truncatingIfNeeded: prefix)
    high = UInt32(truncatingIfNeeded: prefix &>> 32)
    self.slot = slot
  }

  /// The first eight bytes of the key as a number, in the order of the keys.
  @inlinable package var prefix: UInt64 {
    get { UInt64(high) &<< 32 | UInt64(low) }
    set { self = RankEntry(prefix: newValue, slot: slot) }
  }
}

/// Where the identifiers of a list are: one slot for each distinct one, copies chained in order.
///
/// A slot holds 32 bits of the hash and the position of the first copy not taken yet. Equal bits are never
/// trusted: the caller compares the identifiers. Copies hang on a chain, so a list of few distinct
/// identifiers costs no more than any other. A filter of bits tells of most identifiers that they aren't
/// there.
@usableFromInline
struct _UnsafeIdentifierTable {
  /// The upper half of a slot is the position plus one, so that 0 is a free slot; the lower is the tag.
  @usableFromInline let slots: UnsafeMutablePointer<UInt64>
  @usableFromInline let mask: Int
  @usableFromInline let shift: UInt64

  /// For each position the next one with an equal identifier, or -1.
  @usableFromInline let next: UnsafeMutablePointer<Int32>
  @usableFromInline var copyCount = 0

  @usableFromInline let filter: UnsafeMutablePointer<UInt64>?
  @usableFromInline let filterShift: UInt64

  /// A table with room for `count` identifiers, of which the first so many can have copies.
  @inlinable
  init(count: Int, copies: Int, hasFilter: Bool) {
    // At most two thirds are taken: a smaller table stays in the cache, and what isn't there costs few steps more.
    var bits: UInt64 = 2
    while 2 << bits < count * 3 { bits += 1 }
    mask = 1 << Int(bits) - 1
    shift = 64 - bits
    slots = .allocate(capacity: mask + 1)
    slots.initialize(repeating: 0, count: mask + 1)
    next = .allocate(capacity: copies)
    // About thirty times as many bits as slots.
    let filterBits = bits + 5
    filterShift = 64 - filterBits
    if hasFilter {
      let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 1 << Int(filterBits - 6))
      words.initialize(repeating: 0, count: 1 << Int(filterBits - 6))
      filter = words
    } else {
      filter = nil
    }
  }

  @inlinable
  func deallocate() {
    slots.deallocate()
    next.deallocate()
    filter?.deallocate()
  }

  /// The position in a slot, or -1 where it is free.
  @inlinable
  @inline(__always)
  func position(in slot: Int) -> Int { Int(slots[slot] >> 32) - 1 }

  /// The slot of an identifier, or the free slot where it belongs.
  @inlinable
  @inline(__always)
  func slot(hash: UInt64, isEqual: (Int) -> Bool) -> Int {
    let tag = UInt32(truncatingIfNeeded: hash)
    var slot = Int(truncatingIfNeeded: hash >> shift)
    while true {
      let found = slots[slot]
      if found == 0 { return slot }
      if UInt32(truncatingIfNeeded: found) == tag && isEqual(Int(found >> 32) - 1) { return slot }
      slot = (slot + 1) & mask
    }
  }

  @inlinable
  @inline(__always)
  func fill(_ slot: Int, hash: UInt64, position: Int) {
    slots[slot] = UInt64(position + 1) << 32 | hash & 0xFFFF_FFFF
    if let filter {
      let bit = hash >> filterShift
      filter[Int(bit >> 6)] |= 1 << (bit & 63)
    }
  }

  /// Whether an identifier with this hash may be there.
  @inlinable
  @inline(__always)
  func mayContain(_ hash: UInt64) -> Bool {
    guard let filter else { return true }
    let bit = hash >> filterShift
    return filter[Int(bit >> 6)] & (1 << (bit & 63)) != 0
  }

  /// Enters a position before those that have been entered, so the last to come is the first.
  @inlinable
  @inline(__always)
  mutating func enter(_ position: Int, hash: UInt64, isEqual: (Int) -> Bool) {
    let slot = slot(hash: hash, isEqual: isEqual)
    let later = self.position(in: slot)
    next[position] = Int32(truncatingIfNeeded: later)
    if later >= 0 { copyCount &+= 1 }
    fill(slot, hash: hash, position: position)
  }

  /// Lets the next copy stand first in a slot whose first copy is taken.
  @inlinable
  @inline(__always)
  func advance(_ slot: Int) {
    let following = next[position(in: slot)]
    if following >= 0 {
      slots[slot] = UInt64(following + 1) << 32 | slots[slot] & 0xFFFF_FFFF
    }
  }
}

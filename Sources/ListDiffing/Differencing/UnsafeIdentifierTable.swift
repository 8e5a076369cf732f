/// The positions of the identifiers of a list: one slot for each distinct identifier, with its
/// copies chained in order.
///
/// A slot holds 32 bits of the hash, and the position of the first copy that isn't taken yet. Equal
/// bits are never sufficient: the caller compares the identifiers. Copies are in a chain, so a list
/// with few distinct identifiers costs no more than any other. A bit filter rules out most
/// identifiers that aren't in the table.
@usableFromInline
struct _UnsafeIdentifierTable {
  /// The upper half of a slot is the position plus one, so 0 is a free slot.
  ///
  /// The lower half is the tag.
  @usableFromInline let slots: UnsafeMutablePointer<UInt64>
  @usableFromInline let mask: Int
  @usableFromInline let shift: UInt64

  /// For each position, the next position with an equal identifier, or -1.
  @usableFromInline let next: UnsafeMutablePointer<Int32>
  @usableFromInline var copyCount = 0

  @usableFromInline let filter: UnsafeMutablePointer<UInt64>?
  @usableFromInline let filterShift: UInt64

  /// The first `copies` of the identifiers can have copies.
  @inlinable
  init(count: Int, copies: Int, hasFilter: Bool) {
    // At most two thirds of the slots are taken. A smaller table stays in the cache, and the search
    // for a missing identifier takes few more steps.
    var bits: UInt64 = 2
    while 2 << bits < count * 3 { bits += 1 }
    mask = 1 << Int(bits) - 1
    shift = 64 - bits
    slots = .allocate(capacity: mask + 1)
    slots.initialize(repeating: 0, count: mask + 1)
    next = .allocate(capacity: copies)
    // The filter has about thirty times as many bits as there are slots.
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

  /// Returns the position in a slot, or -1 if the slot is free.
  @inlinable
  @inline(__always)
  func position(in slot: Int) -> Int { Int(slots[slot] >> 32) - 1 }

  /// Returns the slot of an identifier, or the free slot where it belongs.
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

  /// Returns false if the table has no identifier with this hash.
  ///
  /// Otherwise it may have one.
  @inlinable
  @inline(__always)
  func mayContain(_ hash: UInt64) -> Bool {
    guard let filter else { return true }
    let bit = hash >> filterShift
    return filter[Int(bit >> 6)] & (1 << (bit & 63)) != 0
  }

  /// Enters a position before earlier entries, so the last entered copy becomes the first.
  @inlinable
  @inline(__always)
  mutating func enter(_ position: Int, hash: UInt64, isEqual: (Int) -> Bool) {
    let slot = slot(hash: hash, isEqual: isEqual)
    let later = self.position(in: slot)
    next[position] = Int32(truncatingIfNeeded: later)
    if later >= 0 { copyCount &+= 1 }
    fill(slot, hash: hash, position: position)
  }

  /// Makes the next copy the first in a slot whose first copy is taken.
  @inlinable
  @inline(__always)
  func advance(_ slot: Int) {
    let following = next[position(in: slot)]
    if following >= 0 {
      slots[slot] = UInt64(following + 1) << 32 | slots[slot] & 0xFFFF_FFFF
    }
  }
}

/// Where the identifiers of an old list are: one slot for each distinct one, copies chained in order.
///
/// A slot holds 32 bits of the hash and the position of the first copy not taken yet. Equal bits are never
/// trusted: the caller compares the identifiers. Copies hang on a chain, so a list of few distinct
/// identifiers costs no more than any other.
@usableFromInline
struct _IdentifierTable {
  @usableFromInline
  struct Slot {
    @usableFromInline var tag: UInt32
    @usableFromInline var position: Int32  // -1 where the slot is free

    @inlinable
    init(tag: UInt32, position: Int32) {
      self.tag = tag
      self.position = position
    }
  }

  @usableFromInline var slots: [Slot]

  /// For each position the next one with an equal identifier, or -1; empty while there are no copies.
  @usableFromInline var next: [Int32]

  @usableFromInline let count: Int
  @usableFromInline let shift: UInt64
  @usableFromInline let seed: UInt64

  @inlinable
  init(count: Int) {
    self.count = count
    var bits: UInt64 = 2
    while 1 << bits < count * 2 { bits += 1 }
    slots = [Slot](repeating: Slot(tag: 0, position: -1), count: 1 << Int(bits))
    next = []
    shift = 64 - bits
    seed = UInt64(truncatingIfNeeded: count.hashValue)
  }

  /// Whether no identifier is there twice.
  @inlinable
  var isUnique: Bool { next.isEmpty }

  /// A hash whose bits are all good; the standard one, save for `Int`, where a multiplication does.
  @inlinable
  @inline(__always)
  func hash<Identifier: Hashable>(_ identifier: Identifier) -> UInt64 {
    if Identifier.self == Int.self, let number = identifier as? Int {
      let product = (UInt64(truncatingIfNeeded: number) ^ seed)
        .multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      return product.high ^ product.low
    }
    return UInt64(truncatingIfNeeded: identifier.hashValue)
  }

  /// The slot of an identifier, or the free slot where it belongs.
  @inlinable
  @inline(__always)
  func slot(hash: UInt64, isEqual: (Int) -> Bool) -> Int {
    let tag = UInt32(truncatingIfNeeded: hash)
    var slot = Int(truncatingIfNeeded: hash >> shift)
    while true {
      let found = slots[slot]
      if found.position < 0 || (found.tag == tag && isEqual(Int(found.position))) { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
  }

  /// Enters a position before those that have been entered, so the last to come is the first.
  @inlinable
  @inline(__always)
  mutating func enter(_ position: Int, hash: UInt64, isEqual: (Int) -> Bool) {
    let slot = slot(hash: hash, isEqual: isEqual)
    let later = slots[slot].position
    if later >= 0 {
      if next.isEmpty { next = [Int32](repeating: -1, count: count) }
      next[position] = later
    }
    slots[slot] = Slot(tag: UInt32(truncatingIfNeeded: hash), position: Int32(position))
  }

  /// Lets the next copy stand first in a slot whose first copy is taken.
  @inlinable
  mutating func advance(_ slot: Int) {
    guard !next.isEmpty else { return }
    let following = next[Int(slots[slot].position)]
    if following >= 0 { slots[slot].position = following }
  }
}

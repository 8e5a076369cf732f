/// A set of slots, a bit for each.
struct SlotSet {
  private var words: [UInt64] = []

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  mutating func insert(_ slot: Int) {
    let place = slot / 64
    if place >= words.count {
      words.append(
        contentsOf: repeatElement(0, count: max(place + 1, words.count * 2) - words.count))
    }
    words[place] |= 1 << UInt64(slot % 64)
  }

  mutating func formUnion(_ other: SlotSet) {
    if other.words.count > words.count {
      words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
    }
    for place in other.words.indices { words[place] |= other.words[place] }
  }

  mutating func formIntersection(_ other: SlotSet) {
    words.removeLast(max(0, words.count - other.words.count))
    for place in words.indices { words[place] &= other.words[place] }
  }

  /// Calls `body` with each slot, ascending.
  func forEach(_ body: (Int) throws -> Void) rethrows {
    for (place, bits) in words.enumerated() {
      var bits = bits
      while bits != 0 {
        try body(place * 64 + bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }
}

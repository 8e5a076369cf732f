internal import Locking

/// An index that finds slots by hash.
///
/// It can be copied in O(1). Copies share everything that is the same.
///
/// It uses open addressing with linear probing, over pages of 128 entries of four bytes. An entry
/// is the slot plus one. The bits above it hold a part of the hash, so that few other entries are
/// checked for nothing. 0 is a free entry.
struct UnsafeSlotIndex: @unchecked Sendable {
  // @unchecked: a page is changed only while one index alone holds it.
  private final class Page: ManagedBuffer<Void, UInt32> {
    static let size = 128

    static func make() -> Page {
      let page = unsafeDowncast(create(minimumCapacity: size) { _ in }, to: Page.self)
      page.entries.initialize(repeating: 0, count: size)
      return page
    }

    static func make(_ entries: UnsafeBufferPointer<UInt32>) -> Page {
      let page = unsafeDowncast(create(minimumCapacity: size) { _ in }, to: Page.self)
      if let first = entries.baseAddress { page.entries.initialize(from: first, count: size) }
      return page
    }

    var entries: UnsafeMutablePointer<UInt32> { withUnsafeMutablePointerToElements { $0 } }

    func copy() -> Page {
      Page.make(UnsafeBufferPointer(start: entries, count: Page.size))
    }
  }

  private var pages = UnsafeObjectVector<Page>()
  /// The binary logarithm of the number of places for entries.
  private var bits = 7
  private(set) var count = 0

  init() { pages.set(Page.make(), at: 0) }

  /// Creates an index of `count` slots, from 0 on.
  ///
  /// - Complexity: O(*n*)
  init(count: Int, hash: (_ slot: Int) -> UInt64) {
    while count * 5 >= (1 << bits) * 4 { bits += 1 }
    precondition(bits < 32, "An entity has more objects than a table in memory has room for")
    self.count = count
    // The entries are first made in one piece, so that no page is looked for.
    let mask = mask
    let all = [UInt32](unsafeUninitializedCapacity: mask + 1) { all, initialized in
      all.initialize(repeating: 0)
      initialized = mask + 1
      for slot in 0..<count {
        let hash = hash(slot)
        var place = Int(truncatingIfNeeded: hash) & mask
        while all[place] != 0 { place = (place &+ 1) & mask }
        all[place] = tag(hash) | UInt32(slot + 1)
      }
    }
    pages = UnsafeObjectVector(count: all.count / Page.size) { number in
      all.withUnsafeBufferPointer { all in
        Page.make(UnsafeBufferPointer(rebasing: all[number * Page.size..<(number + 1) * Page.size]))
      }
    }
  }

  @inline(__always) private var mask: Int { 1 &<< bits &- 1 }

  /// True if one more entry would fill the index too much.
  var isFull: Bool { count * 5 >= (mask + 1) * 4 }

  /// Returns true if a slot's number fits into an entry, beside the bits of a hash.
  func hasRoom(for slot: Int) -> Bool { (slot + 1) * 5 <= (mask + 1) * 4 }

  private func entry(_ place: Int) -> UInt32 {
    guard let page = pages.pointer(place >> 7) else { return 0 }
    return Unmanaged<Page>.fromOpaque(page)._withUnsafeGuaranteedRef { $0.entries[place & 127] }
  }

  private mutating func setEntry(_ place: Int, _ entry: UInt32) {
    pages.unique(place >> 7) { $0.copy() }?.entries[place & 127] = entry
  }

  @inline(__always) private func tag(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash &>> 32) & ~(1 &<< UInt32(truncatingIfNeeded: bits) &- 1)
  }

  @inline(__always) private func slot(_ entry: UInt32) -> Int { Int(entry) & mask &- 1 }

  /// Returns the place and the entry of the slot with a hash that `matches`, or nil.
  @inline(__always)
  private func place(_ hash: UInt64, _ matches: (Int) -> Bool) -> (place: Int, entry: UInt32)? {
    let mask = mask
    let tag = tag(hash)
    let bits = UInt32(truncatingIfNeeded: bits)
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      guard let page = pages.pointer(place >> 7) else { return nil }
      let entries = Unmanaged<Page>.fromOpaque(page)._withUnsafeGuaranteedRef { $0.entries }
      // The rest of the page is searched before the next one is looked for.
      repeat {
        let entry = entries[place & 127]
        if entry == 0 { return nil }
        if (entry ^ tag) &>> bits == 0 && matches(slot(entry)) { return (place, entry) }
        place &+= 1
      } while place & 127 != 0
      place &= mask
    }
  }

  /// Loads the place of a hash into the cache, for a search that follows soon.
  @inline(__always)
  func prefetch(_ hash: UInt64) {
    let place = Int(truncatingIfNeeded: hash) & mask
    guard let page = pages.pointer(place >> 7) else { return }
    let entries = Unmanaged<Page>.fromOpaque(page)._withUnsafeGuaranteedRef { $0.entries }
    unsafePrefetch(entries + (place & 127))
  }

  /// Returns the slot with a hash that `matches`, or nil.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  func find(_ hash: UInt64, where matches: (Int) -> Bool) -> Int? {
    place(hash, matches).map { slot($0.entry) }
  }

  /// Begins several changes, which are then faster than alone.
  mutating func beginChanges() { pages.beginChanges() }

  mutating func endChanges() { pages.endChanges() }

  /// Adds a slot that isn't in the index.
  ///
  /// - Precondition: the index isn't full, and the slot is less than four fifths of its places.
  mutating func insert(_ slot: Int, hash: UInt64) {
    var place = Int(truncatingIfNeeded: hash) & mask
    while entry(place) != 0 { place = (place + 1) & mask }
    setEntry(place, tag(hash) | UInt32(slot + 1))
    count += 1
  }

  /// Removes a slot that is in the index; `hashOf` returns the hashes of others.
  ///
  /// Entries that follow without a gap move up, so that none is cut off from its hash.
  mutating func remove(_ slot: Int, hash: UInt64, hashOf: (Int) -> UInt64) {
    guard var free = place(hash, { $0 == slot })?.place else { return }
    count -= 1
    let mask = mask
    var next = (free + 1) & mask
    while true {
      let entry = entry(next)
      if entry == 0 { break }
      let home = Int(truncatingIfNeeded: hashOf(self.slot(entry))) & mask
      // The entry may move up if its home isn't between the gap and its place.
      if (next - home) & mask >= (next - free) & mask {
        setEntry(free, entry)
        free = next
      }
      next = (next + 1) & mask
    }
    setEntry(free, 0)
  }

  /// An empty index with twice the places.
  var enlarged: UnsafeSlotIndex {
    var index = UnsafeSlotIndex()
    precondition(bits < 31, "An entity has more objects than a table in memory has room for")
    index.bits = bits + 1
    for page in 1..<(1 << (index.bits - 7)) { index.pages.set(Page.make(), at: page) }
    return index
  }
}

extension StoredValue {
  private static let seed = UInt64.random(in: 0 ... .max)

  /// A hash for tables in memory, with a new seed in each process.
  var quickHash: UInt64 {
    guard case .integer(let number) = self else {
      return UInt64(bitPattern: Int64(hashValue)) &* 0x9E37_79B9_7F4A_7C15
    }
    return Self.quickHash(of: number)
  }

  /// Mixes the number by one wide multiplication, as Wang Yi's wyhash does.
  @inline(__always)
  static func quickHash(of number: Int64) -> UInt64 {
    let product = (UInt64(bitPattern: number) ^ seed)
      .multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

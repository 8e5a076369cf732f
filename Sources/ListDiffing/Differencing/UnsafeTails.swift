/// For each length, the least value that ends an increasing subsequence of that length.
///
/// The values ascend. They are in blocks of sixteen, and the last value of each full block is also
/// in an index. A search compares sixteen values of the index at once, and then those of one block.
/// In a shuffled list, a binary search would wait for one value after the other, and half of its
/// branches would be mispredicted.
struct _UnsafeTails {
  private static let width = 16

  private let tails: UnsafeMutablePointer<Int32>
  private let index: UnsafeMutablePointer<Int32>
  private(set) var count = 0
  private var last: Int32 = -1

  /// The number of words that tails of at most `count` values need.
  static func room(for count: Int) -> Int { tailRoom(count) + tailRoom(count) / width + width }

  // One block more, because a search may look at the block after the last.
  private static func tailRoom(_ count: Int) -> Int { (count / width + 2) * width }

  /// Creates tails without a value in words that need not be initialised.
  init(_ words: UnsafeMutableBufferPointer<Int32>, _ count: Int) {
    // A place without a value is above all values.
    words.initialize(repeating: .max)
    // There is always a first word, because there is room for two blocks.
    tails = words.baseAddress.unsafelyUnwrapped
    index = tails + Self.tailRoom(count)
  }

  /// Places a value, and returns its place: the number of values that are less.
  @inline(__always)
  mutating func place(_ value: Int32) -> Int {
    let place = value > last ? count : lessCount(value)
    tails[place] = value
    if place & (Self.width - 1) == Self.width - 1 { index[place / Self.width] = value }
    if place >= count &- 1 { last = value }
    if place == count { count &+= 1 }
    return place
  }

  @inline(__always)
  private func lessCount(_ value: Int32) -> Int {
    var block = 0
    var size = count / Self.width
    // If little moves, the place is near the end.
    if size > 4, index[size &- 4] < value {
      block = size &- 3
    } else {
      while size > Self.width {
        let half = size &>> 1
        // The sign of the difference is the mask, so there is no branch.
        block &+= Int((index[block &+ half &- 1] &- value) &>> 31) & half
        size &-= half
      }
    }
    block &+= Self.lessCount(index + block, value)
    return block &* Self.width &+ Self.lessCount(tails + block &* Self.width, value)
  }

  /// Returns the number of values among sixteen that are less; the compiler makes it a vector.
  @inline(__always)
  private static func lessCount(_ values: UnsafeMutablePointer<Int32>, _ value: Int32) -> Int {
    var signs: Int32 = 0
    for offset in 0..<width { signs &+= (values[offset] &- value) &>> 31 }
    return Int(0 &- signs)
  }
}

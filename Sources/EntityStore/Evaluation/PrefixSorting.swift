/// A sort of items by their prefixes, digit by digit.
enum PrefixSorting {
  /// The least number of items for which it is worth the effort.
  static let fewest = 256

  /// Sorts by the prefix alone; items with the same prefix keep their order.
  ///
  /// There is a pass for each of the eight bytes, the lowest first. A pass keeps the order of equal
  /// items. A byte that is the same in all items is skipped.
  ///
  /// - Complexity: O(*n*)
  static func sort(_ items: inout ContiguousArray<Sorting.Item>) {
    guard let first = items.first else { return }
    var counts = [Int](repeating: 0, count: 8 * 256)
    counts.withUnsafeMutableBufferPointer { counts in
      for item in items {
        for byte in 0..<8 { counts[byte << 8 | digit(item, byte)] &+= 1 }
      }
    }
    var other = items
    for byte in 0..<8 where counts[byte << 8 | digit(first, byte)] != items.count {
      distribute(items, by: byte, to: &other, counts[byte << 8..<(byte + 1) << 8])
      swap(&items, &other)
    }
  }

  @inline(__always)
  private static func digit(_ item: Sorting.Item, _ byte: Int) -> Int {
    Int(truncatingIfNeeded: item.prefix &>> UInt64(8 &* byte)) & 255
  }

  private static func distribute(
    _ items: ContiguousArray<Sorting.Item>, by byte: Int,
    to other: inout ContiguousArray<Sorting.Item>, _ counts: ArraySlice<Int>
  ) {
    var starts: [Int] = []
    var start = 0
    for count in counts {
      starts.append(start)
      start += count
    }
    starts.withUnsafeMutableBufferPointer { starts in
      other.withUnsafeMutableBufferPointer { other in
        for item in items {
          let digit = digit(item, byte)
          other[starts[digit]] = item
          starts[digit] &+= 1
        }
      }
    }
  }
}

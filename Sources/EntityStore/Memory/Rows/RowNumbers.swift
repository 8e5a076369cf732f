/// The row numbers of a storage, as the slots of a tree's entries.
///
/// A number of 31 bits is its own slot. A greater or negative number is kept here, and its slot
/// contains its position. A copy is O(1). Both can then be changed.
package struct RowNumbers: Sendable {
  private final class Page: @unchecked Sendable {
    // @unchecked: a page is changed only while one table alone holds it.
    var numbers: ContiguousArray<Int64>

    init(_ numbers: ContiguousArray<Int64>) { self.numbers = numbers }
  }

  private static let pageSize = 64
  private static let mark: UInt32 = 1 << 31
  private var pages = UnsafeObjectVector<Page>()

  package init() {}

  /// The number of a slot.
  ///
  /// - Complexity: O(1), or O(log *n*) with base 32 for a number that is kept.
  package subscript(slot: UInt32) -> Int64 {
    if slot < Self.mark { return Int64(slot) }
    let place = Int(slot & ~Self.mark)
    guard let page = pages[place / Self.pageSize] else {
      preconditionFailure("A tree's entry names a row number that isn't kept")
    }
    return page.numbers[place % Self.pageSize]
  }

  /// Returns the slot of a number, and keeps the number if necessary.
  ///
  /// `free` has the positions that are free.
  package mutating func insert(_ number: Int64, _ free: inout FreeSlots) -> UInt32 {
    if number >= 0 && number < Int64(Self.mark) { return UInt32(number) }
    let place = free.take()
    let page = pages.unique(place / Self.pageSize) { Page($0.numbers) }
    if let page {
      page.numbers[place % Self.pageSize] = number
    } else {
      var numbers = ContiguousArray<Int64>(repeating: 0, count: Self.pageSize)
      numbers[place % Self.pageSize] = number
      pages.set(Page(numbers), at: place / Self.pageSize)
    }
    return UInt32(place) | Self.mark
  }

  package func remove(_ slot: UInt32, _ free: inout FreeSlots) {
    if slot >= Self.mark { free.giveBack(Int(slot & ~Self.mark)) }
  }
}

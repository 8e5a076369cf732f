/// The slots of a table that no row has.
///
/// They belong to who writes, and are in no version. A copy is O(1), and to go on from one copies a page at most: a commit
/// that may still fail works on a copy, however many slots are free.
package struct FreeSlots: Sendable {
  /// So many slots as are given back in a row, and the pages before.
  private final class Page: @unchecked Sendable {
    // @unchecked: it is changed only when nobody else has it, in the deinit of the page after it.
    let slots: [UInt32]
    var before: Page?

    init(_ slots: [UInt32], after before: Page?) {
      self.slots = slots
      self.before = before
    }

    deinit {
      // One by one: a page that frees the one before, and so on, would take a stack as long as they are many.
      var page = before.take()
      while isKnownUniquelyReferenced(&page) { page = page?.before.take() }
    }
  }

  private static let pageSize = 128
  /// Those that are taken next, a page at most.
  private var last: [UInt32] = []
  private var pages: Page?
  /// The first slot that hasn't been taken yet, nor any after it.
  private var next = 0

  /// None has been taken.
  package init() {}

  /// The slots that a table leaves free.
  package init(of rows: RowTable) {
    rows.forEach { slot, _, _ in
      for slot in next..<max(next, slot) { giveBack(slot) }
      next = slot + 1
    }
  }

  /// Takes the slot that was given back last, or one after all others.
  package mutating func take() -> Int {
    if last.isEmpty, let page = pages {
      last = page.slots
      pages = page.before
    }
    if let slot = last.popLast() { return Int(slot) }
    defer { next += 1 }
    return next
  }

  /// Gives back a slot.
  package mutating func giveBack(_ slot: Int) {
    if last.count == Self.pageSize {
      pages = Page(last, after: pages)
      last = []
    }
    last.append(UInt32(slot))
  }
}

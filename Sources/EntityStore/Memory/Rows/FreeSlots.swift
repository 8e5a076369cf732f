/// The slots of a table that no row has.
///
/// They belong to the writer, and are in no version. A copy is O(1), and changing a copy copies at
/// most one page. So a commit that may still fail works on a copy, however many slots are free.
package struct FreeSlots: Sendable {
  /// A page of slots that were given back one after another, and the pages before it.
  private final class Page: @unchecked Sendable {
    // @unchecked: a page is changed only when nobody else holds it, in the deinit of the page after
    // it.
    let slots: [UInt32]
    var before: Page?

    init(_ slots: [UInt32], after before: Page?) {
      self.slots = slots
      self.before = before
    }

    deinit {
      // The pages are freed one by one. If each page freed the one before it, the stack would grow
      // with the number of pages.
      var page = before.take()
      while isKnownUniquelyReferenced(&page) { page = page?.before.take() }
    }
  }

  private static let pageSize = 128
  /// The slots that are taken next, at most a page.
  private var last: [UInt32] = []
  private var pages: Page?
  /// The first slot from which on none has been taken yet.
  private var next = 0

  /// Creates the free slots of a table in which no slot has been taken.
  package init() {}

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

  package mutating func giveBack(_ slot: Int) {
    if last.count == Self.pageSize {
      pages = Page(last, after: pages)
      last = []
    }
    last.append(UInt32(slot))
  }
}

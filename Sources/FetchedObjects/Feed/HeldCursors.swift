internal import Locking

/// The last versions of a result that clients were given, and the pages that have been made for
/// them.
///
/// It is a value without locks. Its owner protects it with a lock.
struct HeldCursors<Output: Sendable>: Sendable {
  /// The maximum number of versions that are held.
  private(set) var limit: Int
  private var views: [FeedCursor: ResultView] = [:]
  /// The cursors of `views`, beginning with the one that was given longest ago.
  private var order: [FeedCursor] = []
  /// The shown result, or nil until a client has asked for it.
  private var shown: FeedStep.Start?
  /// The pages that lead to the shown result, by the held version from which they lead.
  ///
  /// Nil stands for the whole list.
  private var pages: [FeedCursor?: Output] = [:]

  init(limit: Int) { self.limit = limit }

  /// The number of versions that are held.
  var count: Int { order.count }

  /// Returns the number of versions that were given after the one of a cursor, or nil if it isn't
  /// held.
  func age(of cursor: FeedCursor) -> Int? {
    order.lastIndex(of: cursor).map { order.count - 1 - $0 }
  }

  /// Returns the cursor of a client that has the shown result, or nil if it isn't known.
  func cursor(of view: ResultView) -> FeedCursor? {
    shown.flatMap { $0.view.isSame(as: view) ? $0.cursor : nil }
  }

  /// Returns the page that has been made for a client, or nil if it doesn't lead to the shown
  /// version.
  func page(after cursor: FeedCursor?, to shown: FeedCursor) -> Output? {
    guard self.shown?.cursor == shown else { return nil }
    // Only held versions have pages, so one look is enough if there is one.
    return pages[cursor] ?? (start(cursor) == nil ? pages[nil] : nil)
  }

  /// Returns the result of a client with a cursor, or nil if it isn't known.
  func start(_ cursor: FeedCursor?) -> FeedStep.Start? {
    guard let cursor, let view = views[cursor] else { return nil }
    return FeedStep.Start(cursor: cursor, view: view)
  }

  /// Holds the shown result, and releases the oldest one if there are too many.
  mutating func show(_ view: ResultView, _ cursor: FeedCursor) {
    if shown?.cursor != cursor {
      ReleasePool.add(pages)
      pages = [:]
    }
    // Another view with the same cursor replaces the shown one, too, so that `isSame(as:)`
    // recognises it.
    if let shown { ReleasePool.add(shown.view) }
    shown = FeedStep.Start(cursor: cursor, view: view)
    if order.last != cursor {
      if views[cursor] != nil { order.removeAll { $0 == cursor } }
      order.append(cursor)
      if let old = views.updateValue(view, forKey: cursor) { ReleasePool.add(old) }
    }
    evict()
  }

  /// Keeps a page, if it still leads to the shown result, and returns the page to use.
  ///
  /// If another thread has made the page meanwhile, that page stays. All clients with an unknown
  /// version get the same page.
  mutating func keep(_ page: Output, after start: FeedCursor?, to cursor: FeedCursor) -> Output {
    guard shown?.cursor == cursor, start == self.start(start)?.cursor else { return page }
    if let made = pages[start] { return made }
    pages[start] = page
    return page
  }

  /// Sets the maximum number of versions, and releases the oldest ones if there are too many.
  mutating func setLimit(_ limit: Int) {
    self.limit = limit
    evict()
  }

  private mutating func evict() {
    guard order.count > limit else { return }
    for cursor in order.prefix(order.count - limit) {
      if let view = views.removeValue(forKey: cursor) { ReleasePool.add(view) }
      if let page = pages.removeValue(forKey: cursor) { ReleasePool.add(page) }
    }
    order.removeFirst(order.count - limit)
  }
}

extension ResultView {
  /// Returns true if both show the same rows of the same version.
  func isSame(as other: ResultView) -> Bool { base === other.base && window == other.window }
}

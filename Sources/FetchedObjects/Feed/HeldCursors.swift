/// The versions of a result that clients have been given, the last few, and what has been made for them.
///
/// A value with no locks: its owner puts it under one.
struct HeldCursors<Output: Sendable>: Sendable {
  /// How many versions may be held.
  private(set) var limit: Int
  private var views: [FeedCursor: ResultView] = [:]
  /// The cursors of `views`, those given longest ago first.
  private var order: [FeedCursor] = []
  /// What is shown, once a client has asked for it.
  private var shown: FeedStep.Start?
  /// What leads to what is shown, from a version that is held or from nothing.
  private var pages: [FeedCursor?: Output] = [:]

  /// What was held, to be let go of outside the lock.
  struct Released: Sendable {
    fileprivate var views: [ResultView] = []
    fileprivate var pages: [FeedCursor?: Output] = [:]
  }

  init(limit: Int) { self.limit = limit }

  /// How many versions are held.
  var count: Int { order.count }

  /// Where a client is that has what is shown, if that is known.
  func cursor(of view: ResultView) -> FeedCursor? {
    shown.flatMap { $0.view.isSame(as: view) ? $0.cursor : nil }
  }

  /// What has been made for a client, if it leads to a version that is shown still.
  func page(after cursor: FeedCursor?, to shown: FeedCursor) -> Output? {
    self.shown?.cursor == shown ? pages[known(cursor)] : nil
  }

  /// What a client that is somewhere has; nil if that isn't known.
  func start(_ cursor: FeedCursor?) -> FeedStep.Start? {
    guard let cursor, let view = views[cursor] else { return nil }
    return FeedStep.Start(cursor: cursor, view: view)
  }

  /// All clients whose place isn't known are told the same.
  private func known(_ cursor: FeedCursor?) -> FeedCursor? {
    cursor.flatMap { views[$0] == nil ? nil : $0 }
  }

  /// Holds what is shown, and lets the oldest go if that is one too many.
  mutating func show(_ view: ResultView, _ cursor: FeedCursor) -> Released {
    var released = Released()
    if shown?.cursor != cursor { swap(&released.pages, &pages) }
    // Also another view of the same, so that it is known by sight.
    if let shown { released.views.append(shown.view) }
    shown = FeedStep.Start(cursor: cursor, view: view)
    if order.last != cursor {
      if views[cursor] != nil { order.removeAll { $0 == cursor } }
      order.append(cursor)
      if let old = views.updateValue(view, forKey: cursor) { released.views.append(old) }
    }
    evict(&released)
    return released
  }

  /// Keeps what has been made, if it leads to what is shown still.
  ///
  /// What another thread has made meanwhile stays.
  mutating func keep(_ page: Output, after start: FeedCursor?, to cursor: FeedCursor) -> Output {
    guard shown?.cursor == cursor, start == known(start) else { return page }
    if let made = pages[start] { return made }
    pages[start] = page
    return page
  }

  /// Allows for more versions, or for fewer, and lets the oldest go.
  mutating func setLimit(_ limit: Int) -> Released {
    self.limit = limit
    var released = Released()
    evict(&released)
    return released
  }

  private mutating func evict(_ released: inout Released) {
    guard order.count > limit else { return }
    for cursor in order.prefix(order.count - limit) {
      if let view = views.removeValue(forKey: cursor) { released.views.append(view) }
      if let page = pages.removeValue(forKey: cursor) { released.pages[cursor] = page }
    }
    order.removeFirst(order.count - limit)
  }
}

extension ResultView {
  /// Whether the same rows of the same version are shown.
  func isSame(as other: ResultView) -> Bool { base === other.base && window == other.window }
}

internal import CLocking

/// An event that one thread waits for and another one announces, once.
final class ThreadEvent: Sendable {
  /// The content of the announcement.
  enum News: Int {
    /// The lock was handed over.
    case handed = 1
    /// The lock is free, and is kept for a task for a moment.
    case kept = 2
  }

  /// The announcement, which is also read outside the lock.
  private let word = AtomicWord(0)
  private let changes = Monitor(())

  /// Announces `news`.
  func announce(_ news: News) {
    changes.change { _ in word.store(news.rawValue) }
  }

  /// Waits for the announcement and returns it.
  func wait() -> News {
    // Going to sleep isn't worth it if the announcement comes within a moment.
    for _ in 0..<50 {
      if let news = News(rawValue: word.load()) { return news }
      sb_thread_yield()
    }
    return changes.wait { _ in News(rawValue: word.load()) }
  }
}

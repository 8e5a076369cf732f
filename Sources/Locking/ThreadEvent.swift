internal import CLocking

/// What one thread waits for and another one announces, once.
final class ThreadEvent: Sendable {
  /// What is announced.
  enum News: Int {
    /// The lock was handed over.
    case handed = 1
    /// The lock is free, and kept for a task for a moment.
    case kept = 2
  }

  /// What is announced, which is looked at outside the lock, too.
  private let word = AtomicWord(0)
  private let changes = Monitor(())

  /// Announces it.
  func announce(_ news: News) {
    changes.change { _ in word.store(news.rawValue) }
  }

  /// Waits until it is announced.
  func wait() -> News {
    // What is announced within a moment isn't worth going to sleep for.
    for _ in 0..<50 {
      if let news = News(rawValue: word.load()) { return news }
      sb_thread_yield()
    }
    return changes.wait { _ in News(rawValue: word.load()) }
  }
}

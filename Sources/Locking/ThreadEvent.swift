internal import CLocking

/// What one thread waits for and another one announces, once.
final class ThreadEvent: @unchecked Sendable {
  // @unchecked: `memory` is reached under its lock, and `word` is atomic.

  /// What is announced.
  enum News: Int {
    /// The lock was handed over.
    case handed = 1
    /// The lock is free, and kept for a task for a moment.
    case kept = 2
  }

  private struct Memory {
    var lock = sb_lock()
    var condition = sb_condition()
  }

  private let memory: UnsafeMutablePointer<Memory>
  private let word = AtomicWord(0)

  init() {
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory())
    sb_lock_init(&memory.pointee.lock)
    sb_condition_init(&memory.pointee.condition)
  }

  deinit {
    sb_condition_destroy(&memory.pointee.condition)
    sb_lock_destroy(&memory.pointee.lock)
    memory.deallocate()
  }

  /// Announces it.
  func announce(_ news: News) {
    sb_lock_lock(&memory.pointee.lock)
    word.store(news.rawValue)
    sb_condition_signal(&memory.pointee.condition)
    sb_lock_unlock(&memory.pointee.lock)
  }

  /// Waits until it is announced.
  func wait() -> News? {
    // What is announced within a moment isn't worth going to sleep for.
    for _ in 0..<50 {
      if word.load() != 0 { return News(rawValue: word.load()) }
      sb_thread_yield()
    }
    sb_lock_lock(&memory.pointee.lock)
    while word.load() == 0 { sb_condition_wait(&memory.pointee.condition, &memory.pointee.lock) }
    sb_lock_unlock(&memory.pointee.lock)
    return News(rawValue: word.load())
  }
}

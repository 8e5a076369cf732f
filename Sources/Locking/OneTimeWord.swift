/// A word that one thread sets, once, and another thread waits for.
///
///     let word = OneTimeWord()
///     word.set(1)       // on one thread
///     _ = word.wait()   // on another one
///
/// It is 0 until it is set.
public final class OneTimeWord: Sendable {
  /// The value, which is also read outside the lock.
  private let word = AtomicWord(0)
  private let changes = Monitor(())

  /// Creates a word that isn't set.
  public init() {}

  /// Sets the word to `value`, which isn't 0.
  public func set(_ value: Int) {
    changes.change { _ in word.store(value) }
  }

  /// Waits until the word is set.
  ///
  /// - Parameter time: The longest time to wait. Without one, it waits until the word is set.
  /// - Returns: The word, or 0 if the time has passed.
  public func wait(atMost time: Duration? = nil) -> Int {
    // Going to sleep isn't worth it if the word is set within a moment.
    for _ in 0..<50 {
      let value = word.load()
      if value != 0 { return value }
      CurrentThread.yield()
    }
    guard let time else {
      return changes.wait { _ in
        let value = word.load()
        return value == 0 ? nil : value
      }
    }
    let end = ContinuousClock.now + time
    while word.load() == 0 {
      let left = ContinuousClock.now.duration(to: end)
      if left <= .zero { break }
      changes.wait(atMost: left) { _ in word.load() != 0 }
    }
    return word.load()
  }
}

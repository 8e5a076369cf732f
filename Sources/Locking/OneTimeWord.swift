/// A word that is 0 until a thread sets it, once, and that another thread waits for.
public final class OneTimeWord: Sendable {
  /// Looked at outside the lock, too.
  private let word = AtomicWord(0)
  private let changes = Monitor(())

  /// A word that isn't set.
  public init() {}

  /// Sets the word to `value`, which isn't 0.
  public func set(_ value: Int) {
    changes.change { _ in word.store(value) }
  }

  /// Waits until the word is set.
  ///
  /// - Parameter time: how long to wait at most; without it, until the word is set.
  /// - Returns: the word, which is 0 if the time has passed.
  public func wait(atMost time: Duration? = nil) -> Int {
    // A word that is set within a moment isn't worth going to sleep for.
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

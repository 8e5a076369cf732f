internal import Locking

/// The lock that is held while a commit is published or an observer registers.
///
/// Code of an app runs under it where an attribute is read, and in the closure of an observed
/// value. Such code may only read. If it commits or makes a model, it traps here. It would
/// otherwise wait for itself.
final class PublishingLock: Sendable {
  private let lock = Locked(())
  /// The thread that holds the lock, or 0.
  private let holder = AtomicWord(0)

  /// Runs `body` while nothing else is published.
  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    checkFree()
    return try lock.withLock { _ in
      holder.store(CurrentThread.token)
      defer { holder.store(0) }
      return try body()
    }
  }

  var isHeldHere: Bool { holder.load() == CurrentThread.token }

  /// Traps if the calling thread holds the lock.
  func checkFree() {
    mustHold(
      !isHeldHere,
      "A store is used while a commit is published, by code that reads or stores an attribute or "
        + "makes an observed value; such code may only read through what it is given")
  }
}

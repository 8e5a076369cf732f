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
  /// The tasks that wait until nothing is published.
  private let waiting = Locked<[CheckedContinuation<Void, Never>]>([])

  /// Runs `body` while nothing else is published.
  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    checkFree()
    return try lock.withLock { _ in
      holder.store(CurrentThread.token)
      defer { holder.store(0) }
      return try body()
    }
  }

  /// True if something is being published, or the lock is just being taken or released.
  ///
  /// If it is false, each commit that can be read has its turns.
  var isHeld: Bool { holder.load() != 0 }

  /// Waits until all that is being published now has been published.
  ///
  /// It blocks no thread but one of its own, which all tasks share that wait at once.
  func becomeFree() async {
    await withCheckedContinuation { continuation in
      let isFirst = waiting.withLock { tasks in
        tasks.append(continuation)
        return tasks.count == 1
      }
      if !isFirst { return }
      let run: @Sendable () -> Void = { [self] in
        // A task that comes after this is none of these, and begins another thread.
        let tasks = lock.withLock { _ in
          waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
          }
        }
        for task in tasks { task.resume() }
      }
      // If the system has no thread left, this one blocks.
      if !PlatformThread.start(run) { run() }
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

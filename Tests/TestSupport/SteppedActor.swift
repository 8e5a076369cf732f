internal import Locking

/// An actor whose jobs wait until the test runs them, one at a time.
///
///     extension SteppedActor { func take(_ lock: Lock) async throws { try await lock.take() } }
///     let task = Task { try await actor.take(lock) }
///     expectTrue(await becomesTrue { actor.waitingCount == 1 })
///     actor.step()   // the task runs here until it suspends
///
/// So a test decides when a task that has been woken goes on.
public actor SteppedActor {
  private nonisolated let executor = SteppedExecutor()

  /// An actor with nothing to do.
  public init() {}

  /// Where its jobs wait.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// How many jobs wait.
  public nonisolated var waitingCount: Int { executor.jobs.withLock { $0.count } }

  /// Runs the job that has waited longest on the calling thread, and says whether there was one.
  @discardableResult public nonisolated func step() -> Bool { executor.step() }

  /// Waits until a job is there, runs it on the calling thread, and says whether it came in time.
  public nonisolated func stepSoon() async -> Bool {
    let hasCome = await becomesTrue { self.waitingCount > 0 }
    return hasCome && step()
  }
}

private final class SteppedExecutor: SerialExecutor {
  let jobs = Locked<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func step() -> Bool {
    let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    job?.runSynchronously(on: asUnownedSerialExecutor())
    return job != nil
  }
}

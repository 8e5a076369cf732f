internal import Foundation
internal import Locking

/// An actor whose jobs run on threads of its own, and wait while it is held.
///
///     let place = HeldActor()
///     let token = relay.subscribe(on: place) { _, value in log.note(value) }
///     place.hold()
///     relay.send(1)   // waits
///     place.letGo()
///
/// So it is busy for as long as a test wants, and takes none of the few threads that all other tasks share.
public actor HeldActor {
  private nonisolated let executor = HeldExecutor()

  /// An actor that isn't held.
  public init() {}

  /// Where its jobs wait.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Lets no further job begin.
  public nonisolated func hold() { executor.hold(true) }

  /// Lets what waits run, and what comes later.
  public nonisolated func letGo() { executor.hold(false) }
}

private final class HeldExecutor: SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isHeld = false
    var isRunning = false

    /// Takes the next job, if it may run now.
    mutating func next() -> UnownedJob? {
      guard !isHeld, !jobs.isEmpty else {
        isRunning = false
        return nil
      }
      isRunning = true
      return jobs.removeFirst()
    }
  }

  private let state = Locked(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    run { $0.jobs.append(job) }
  }

  func hold(_ isHeld: Bool) { run { $0.isHeld = isHeld } }

  private func run(_ change: (inout State) -> Void) {
    let first = state.withLock { state in
      change(&state)
      return state.isRunning ? nil : state.next()
    }
    guard let first else { return }
    Thread.detachNewThread {
      var next: UnownedJob? = first
      while let job = next {
        job.runSynchronously(on: self.asUnownedSerialExecutor())
        next = self.state.withLock { $0.next() }
      }
    }
  }
}

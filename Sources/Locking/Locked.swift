public import CLocking

/// A value that only the holder of its lock can reach.
///
///     let names = Locked<[String]>([])
///     names.withLock { $0.append("Ann") }
///
/// The lock is the platform's own (`pthread_mutex_t`, on Windows `SRWLOCK`), because
/// `Synchronization.Mutex` needs iOS 18. It isn't recursive: taking it twice on one thread hangs.
/// Call nothing inside `withLock` that can run someone else's code.
public struct Locked<State>: ~Copyable, @unchecked Sendable {
  // @unchecked: `memory` is reached only under the lock at its head.
  @usableFromInline struct Memory {
    @usableFromInline var lock: sb_lock
    @usableFromInline var state: State
    // So that a state of no size doesn't lie behind the memory, where the thread sanitizer still
    // knows accesses of whoever had it before.
    @usableFromInline let end: UInt8 = 0

    @usableFromInline init(lock: sb_lock, state: State) {
      self.lock = lock
      self.state = state
    }
  }

  @usableFromInline let memory: UnsafeMutablePointer<Memory>

  /// Guards `state`.
  @inlinable public init(_ state: State) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory(lock: sb_lock(), state: state))
    sb_lock_init(_lock)
  }

  deinit {
    sb_lock_destroy(_lock)
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  @inlinable var _lock: UnsafeMutablePointer<sb_lock> {
    // The lock is the first field, so it stands at the address of the whole.
    UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sb_lock.self)
  }

  /// Runs `body` with the state while no other thread can.
  ///
  /// What it returns outlives the lock, even where the caller drops it: so that is how to free what the state
  /// no longer needs. Somebody's `deinit` may run then.
  ///
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  @inlinable public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    sb_lock_lock(_lock)
    let result: Result
    do throws(Failure) {
      result = try body(&memory.pointee.state)
    } catch {
      sb_lock_unlock(_lock)
      throw error
    }
    sb_lock_unlock(_lock)
    // Without a use after the lock, optimised code may release a result that is dropped before.
    withExtendedLifetime(result) {}
    return result
  }
}

public import CLocking

/// A value that only the holder of its lock can reach.
///
///     let names = Locked<[String]>([])
///     names.withLock { $0.append("Ann") }
///
/// The lock is that of the platform (`pthread_mutex_t`, on Windows `SRWLOCK`), because
/// `Synchronization.Mutex` needs iOS 18. It isn't recursive: taking it twice on one thread hangs.
/// Call nothing inside `withLock` that can run a user's code.
public struct Locked<State>: ~Copyable, @unchecked Sendable {
  // @unchecked: `memory` is reached only under the lock at its head.
  @usableFromInline struct Memory {
    @usableFromInline var lock: sb_lock
    @usableFromInline var state: State
    // This keeps a state of size 0 inside the memory. Behind it, the thread sanitizer still
    // remembers accesses of a previous owner.
    @usableFromInline let end: UInt8 = 0

    @usableFromInline init(lock: sb_lock, state: State) {
      self.lock = lock
      self.state = state
    }
  }

  @usableFromInline let memory: UnsafeMutablePointer<Memory>

  /// Creates a lock that guards `state`.
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
    // The lock is the first field, so its address is that of the whole.
    UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sb_lock.self)
  }

  /// The state, without the lock.
  ///
  /// Read it only on a thread that knows that no other one changes the state meanwhile.
  @inlinable package var unsafeState: State { memory.pointee.state }

  /// Calls `body` with the state while the lock is held.
  ///
  /// The result outlives the lock, even if the caller discards it. So return from `body` what the
  /// state no longer needs: it is released after the lock, because its `deinit` may run a user's
  /// code.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error that `body` throws.
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
    // Without a use after the lock, optimised code may release a discarded result before it.
    withExtendedLifetime(result) {}
    return result
  }
}

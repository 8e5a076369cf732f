internal import CLocking

/// A lock that knows which thread holds it.
///
/// A store's writers queue at one; a nested commit finds that its own thread holds it already.
public struct WriterLock: ~Copyable, @unchecked Sendable {
  // @unchecked: the lock guards itself, and `owner` is atomic.
  private let lock: UnsafeMutablePointer<sb_lock>
  private let owner = AtomicWord(0)

  /// A free lock.
  public init() {
    lock = .allocate(capacity: 1)
    lock.initialize(to: sb_lock())
    sb_lock_init(lock)
  }

  deinit {
    sb_lock_destroy(lock)
    lock.deallocate()
  }

  /// Whether the calling thread holds the lock.
  public var isHeldHere: Bool { owner.load() == sb_thread_token() }

  /// Waits for the lock and takes it.
  public func lockHere() {
    sb_lock_lock(lock)
    owner.store(sb_thread_token())
  }

  /// Gives the lock back; the calling thread holds it.
  public func unlockHere() {
    owner.store(0)
    sb_lock_unlock(lock)
  }
}

public import CLocking

/// A lock at an address, for objects that guard their own fields.
///
/// Call nothing under it that can run someone else's code. It isn't recursive.
public struct UnsafeLock: @unchecked Sendable {
  // @unchecked: the lock guards itself.
  @usableFromInline let pointer: UnsafeMutablePointer<sb_lock>

  @usableFromInline init(pointer: UnsafeMutablePointer<sb_lock>) { self.pointer = pointer }

  /// A lock of its own, which lives until `deallocate` is called.
  public static func allocate() -> UnsafeLock {
    let pointer = UnsafeMutablePointer<sb_lock>.allocate(capacity: 1)
    pointer.initialize(to: sb_lock())
    sb_lock_init(pointer)
    return UnsafeLock(pointer: pointer)
  }

  /// Ends a lock that `allocate` gave.
  public func deallocate() {
    sb_lock_destroy(pointer)
    pointer.deallocate()
  }

  /// One of a fixed number of locks, given out in turn.
  ///
  /// It costs an object nothing but the pointer. Others may share it, so nothing is done under it
  /// that waits, takes another lock or runs a user's code.
  public static func shared() -> UnsafeLock { UnsafeLock(pointer: sb_shared_lock()) }

  /// Waits for the lock and takes it.
  @inlinable public func lock() { sb_lock_lock(pointer) }

  /// Gives the lock back.
  @inlinable public func unlock() { sb_lock_unlock(pointer) }

  /// Runs `body` while no other thread can.
  @inlinable public func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    sb_lock_lock(pointer)
    defer { sb_lock_unlock(pointer) }
    return try body()
  }
}

internal import SQLiteLibrary
internal import EntityStore
internal import Locking

/// Lets what locks a file in, unless the store is suspended, and knows when all of it is out.
///
/// A transaction, a read, a checkpoint, a look at the file and the closing of the file each enter
/// before they lock anything, and leave when they have unlocked it. Connections that are open
/// without a transaction keep nobody from reading or writing.
///
/// A closed gate doesn't stop the thread that completes a commit: what the store's observers read
/// for it, through whichever connection, is part of the commit.
final class FileGate: Sendable {
  /// A connection that any thread may interrupt while it is open.
  private struct Interruptible: @unchecked Sendable {
    // @unchecked: the compiler can't know that SQLite lets any thread interrupt a connection.
    let handle: OpaquePointer
  }

  /// The time between two interruptions of what goes on.
  private static let interval = Duration.milliseconds(10)

  /// The threads inside.
  private struct Inside {
    var count = 0
    /// True while the store is being closed, from the call of `close()` until the file is closed.
    var isClosing = false
  }

  private let path: String
  private let inside = Monitor(Inside())
  /// The number of times that the gate has been closed or opened; it is odd while it is closed.
  private let changes = AtomicWord(0)
  /// The token of the thread that completes a commit, or 0.
  private let completer = AtomicWord(0)
  /// The connections that do something in one step, which only an interruption ends.
  private let interruptible = Locked<[Interruptible]>([])

  init(path: String) { self.path = path }

  var changeCount: Int { changes.load() }

  private var isClosed: Bool { changeCount & 1 != 0 }

  private var isCompletingHere: Bool { completer.load() == CurrentThread.token }

  /// True if the gate is closed for the calling thread.
  var isClosedHere: Bool { isClosed && !isCompletingHere }

  /// Lets the calling thread through, whether or not the gate is closed.
  ///
  /// The thread is inside, and stays there until it has called `endCompleting()`. The store
  /// completes one commit at a time.
  func beginCompleting() { completer.store(CurrentThread.token) }

  /// Ends what `beginCompleting()` has begun, if it was called.
  func endCompleting() { completer.store(0) }

  /// Enters if the gate is open, and returns true if the caller is inside and has to leave.
  func enterIfOpen() -> Bool {
    inside.change { inside in
      // It is read under the lock. So `close` waits for each caller that has found it open.
      if isClosedHere { return false }
      inside.count += 1
      return true
    }
  }

  /// Throws ``/EntityStore/StoreError/storage(_:)`` of the kind `suspended` if the gate is closed.
  func enter(_ activity: ConnectionActivity) throws {
    if !enterIfOpen() { throw StoreError.storage(fault(activity)) }
  }

  func leave() { inside.change { $0.count -= 1 } }

  /// Throws if the gate has been closed since the caller entered.
  func check(_ activity: ConnectionActivity) throws {
    if isClosedHere { throw StoreError.storage(fault(activity)) }
  }

  /// Throws if the gate has been closed since `changeCount` was `count`, even if it is open again.
  func check(_ activity: ConnectionActivity, since count: Int) throws {
    if changeCount != count && !isCompletingHere { throw StoreError.storage(fault(activity)) }
  }

  func fault(_ activity: ConnectionActivity) -> StorageFault {
    StorageFault(
      .suspended,
      "\(path): the store is suspended; call resume() when the app is active again, and try again",
      path: path, operation: "\(activity)")
  }

  /// Runs `body`, in which `close(within:)` interrupts a connection.
  ///
  /// SQLite calls no handler during a checkpoint or a count of all rows, but it looks for an
  /// interruption at each page.
  func interruptibly<Result>(
    _ handle: OpaquePointer, _ body: () throws -> Result
  ) rethrows -> Result {
    if isCompletingHere { return try body() }
    interruptible.withLock { $0.append(Interruptible(handle: handle)) }
    defer { interruptible.withLock { $0.removeAll { $0.handle == handle } } }
    return try body()
  }

  /// Runs a checkpoint, which ends early if the gate is closed by `close(within:)`.
  ///
  /// - Parameters:
  ///   - handle: the connection that makes the checkpoint.
  ///   - body: makes the checkpoint, and returns SQLite's code.
  /// - Returns: the code, which is `SQLITE_INTERRUPT` if the checkpoint has ended early.
  func checkpoint(_ handle: OpaquePointer, _ body: () -> Int32) -> Int32 {
    interruptibly(handle) {
      // The gate may have been closed just before.
      if isClosedHere { return SQLITE_INTERRUPT }
      let code = body()
      // An interruption that came when the step before this one had just ended is still there, and
      // ends this one. SQLite has removed it now.
      return code & 0xFF == SQLITE_INTERRUPT && !isClosedHere ? body() : code
    }
  }

  /// Closes the gate, ends what can be interrupted, and waits until nobody is inside.
  ///
  /// - Parameter time: the longest time to wait.
  /// - Returns: true if nobody is inside.
  func close(within time: Duration) -> Bool {
    _ = set(isClosed: true)
    let end = ContinuousClock.now + time
    while true {
      // SQLite removes an interruption that comes just before a statement begins, so there are
      // several, unless the store has been resumed meanwhile. The handles are open under the lock.
      if isClosed { interruptible.withLock { for one in $0 { sqlite3_interrupt(one.handle) } } }
      var isEmpty = false
      let rest = end - .now
      inside.wait(atMost: min(max(rest, .zero), Self.interval)) { inside in
        isEmpty = inside.count == 0 && !inside.isClosing
        return isEmpty
      }
      if isEmpty || rest <= .zero { return isEmpty }
    }
  }

  /// Notes that the store is being closed.
  ///
  /// From here on `close(within:)` waits until the file is closed. The last connection has the file
  /// for itself while it checkpoints, and nothing interrupts that.
  func willCloseForGood() { inside.change { $0.isClosing = true } }

  /// Closes the gate, waits until nobody is inside, and runs `body`, which closes the file.
  func closeForGood(_ body: () -> Void) {
    _ = set(isClosed: true)
    inside.wait { $0.count == 0 ? () : nil }
    body()
    inside.change { $0.isClosing = false }
  }

  /// Opens the gate, and returns true if it was closed.
  func open() -> Bool { set(isClosed: false) }

  /// Closes or opens the gate, and returns true if that has changed it.
  private func set(isClosed: Bool) -> Bool {
    while true {
      let count = changes.load()
      if (count & 1 != 0) == isClosed { return false }
      if changes.compareExchange(count, count + 1) { return true }
    }
  }
}

internal import EntityStore
internal import Locking

/// Lets what locks a file in, unless the store is suspended, and knows when all of it is out.
///
/// A transaction, a read, a checkpoint and a look at the file each enter before they lock anything,
/// and leave when they have unlocked it. Connections that are open without a transaction keep
/// nobody from reading or writing.
final class FileGate: Sendable {
  private let path: String
  /// The number of those inside.
  private let inside = Monitor(0)
  /// 1 while the gate is closed.
  private let closed = AtomicWord(0)

  init(path: String) { self.path = path }

  var isClosed: Bool { closed.load() != 0 }

  /// Enters, if the gate is open.
  ///
  /// - Returns: true if the caller is inside and has to leave.
  func enterIfOpen() -> Bool {
    inside.change { count in
      // It is read under the lock. So `close` waits for each caller that has found it open.
      if isClosed { return false }
      count += 1
      return true
    }
  }

  /// Enters.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` of the kind `suspended` if it is closed.
  func enter(_ activity: ConnectionActivity) throws {
    if !enterIfOpen() { throw StoreError.storage(fault(activity)) }
  }

  func leave() { inside.change { $0 -= 1 } }

  /// Throws if the gate has been closed since the caller entered.
  func check(_ activity: ConnectionActivity) throws {
    if isClosed { throw StoreError.storage(fault(activity)) }
  }

  func fault(_ activity: ConnectionActivity) -> StorageFault {
    StorageFault(
      .suspended,
      "\(path): the store is suspended; call resume() when the app is active again, and try again",
      path: path, operation: "\(activity)")
  }

  /// Closes the gate, and waits until nobody is inside.
  ///
  /// - Returns: true if nobody is.
  func close(within time: Duration) -> Bool {
    closed.store(1)
    let end = ContinuousClock.now + time
    while true {
      var isEmpty = false
      let rest = end - .now
      inside.wait(atMost: max(rest, .zero)) { count in
        isEmpty = count == 0
        return isEmpty
      }
      if isEmpty || rest <= .zero { return isEmpty }
    }
  }

  /// Opens the gate.
  ///
  /// - Returns: true if it was closed.
  func open() -> Bool { closed.exchange(0) != 0 }
}

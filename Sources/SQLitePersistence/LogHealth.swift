internal import EntityStore
internal import Locking

/// Whether a file's log is sound: shared by all of a storage's connections that write.
///
/// After a sync that failed, the system may take what wasn't written for written, and a later sync
/// succeeds. Nobody knows then what the log has on the disk, so no commit begins any more, and nothing more is
/// moved out of the log, until the file is opened again, which writes the log anew.
///
/// A thread that moves the log syncs it, too. Where the system tells of a write that failed but one of those who sync
/// (Linux tells each), a commit whose own sync succeeds just then returns before the other thread has noted it here.
final class LogHealth: Sendable {
  private let state = Locked<StorageFault?>(nil)

  /// The first sync that failed.
  var fault: StorageFault? { state.withLock { $0 } }

  /// Notes that a sync has failed.
  func fail(_ fault: StorageFault) { state.withLock { $0 = $0 ?? fault } }
}

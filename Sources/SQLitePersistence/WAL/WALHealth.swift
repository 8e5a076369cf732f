internal import EntityStore
internal import Locking

/// Whether a file's WAL is sound: shared by all connections of a storage that write.
///
/// After a sync that failed, the system may take what wasn't written for written, and a later sync
/// succeeds. Nobody knows then what the WAL has on the disk. So no commit begins and no checkpoint is made until the
/// file is opened again, which writes the WAL once more.
///
/// A checkpoint syncs the WAL, too. Where the system reports a failed write to only one of those who sync
/// (Linux reports it to each), a commit whose own sync succeeds just then returns before the other thread has noted it
/// here.
final class WALHealth: Sendable {
  private let state = Locked<StorageFault?>(nil)

  /// The first sync that failed.
  var fault: StorageFault? { state.withLock { $0 } }

  /// Notes that a sync has failed.
  func fail(_ fault: StorageFault) { state.withLock { $0 = $0 ?? fault } }
}

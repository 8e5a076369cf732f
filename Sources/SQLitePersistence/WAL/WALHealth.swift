internal import EntityStore
internal import Locking

/// A record of whether a file's WAL is sound, shared by all connections of a storage that write.
///
/// After a failed sync, the system may consider pages written that aren't, and a later sync
/// succeeds. Nobody then knows what part of the WAL is on the disk. So no commit begins and no
/// checkpoint is made until the file is opened again. Opening it writes the WAL again.
///
/// Checkpointing syncs the WAL as well. Some systems report a failed write to only one caller of
/// `fsync` (Linux reports it to each). There, a commit whose own sync succeeds at that moment
/// returns before the other thread has noted the fault here.
final class WALHealth: Sendable {
  private let state = Locked<StorageFault?>(nil)

  /// The fault of the first sync that failed.
  var fault: StorageFault? { state.withLock { $0 } }

  /// Notes that a sync has failed.
  func fail(_ fault: StorageFault) { state.withLock { $0 = $0 ?? fault } }
}

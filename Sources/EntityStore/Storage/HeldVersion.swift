internal import Locking

/// The version of a snapshot, which is counted for as long as the snapshot or a copy of it exists.
final class HeldVersion: Sendable {
  let storage: any StorageSnapshot
  let version: Int64
  private let versions: HeldVersions

  init(_ storage: any StorageSnapshot, _ version: Int64, in versions: HeldVersions) {
    self.storage = storage
    self.version = version
    self.versions = versions
  }

  deinit { versions.release(version) }
}

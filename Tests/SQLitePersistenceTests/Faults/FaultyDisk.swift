import CFaultyDisk
import SQLiteLibrary
import EntityStore
import Foundation
import TestSupport

@_spi(Storage) @testable import SQLitePersistence

/// A disk that loses power and fails on command.
///
///     let disk = FaultyDisk()
///     let storage = try disk.storage(path, .full)
///     disk.fail(.sync, at: 3, with: SQLITE_IOERR_FSYNC)
final class FaultyDisk: Sendable {
  /// Operations, as a set.
  struct Kinds: OptionSet {
    let rawValue: Int
    static let open = Kinds(rawValue: Int(FAULTY_OPEN))
    static let read = Kinds(rawValue: Int(FAULTY_READ))
    static let write = Kinds(rawValue: Int(FAULTY_WRITE))
    static let truncate = Kinds(rawValue: Int(FAULTY_TRUNCATE))
    static let sync = Kinds(rawValue: Int(FAULTY_SYNC))
    static let delete = Kinds(rawValue: Int(FAULTY_DELETE))
    static let shared = Kinds(rawValue: Int(FAULTY_SHARED))
    static let size = Kinds(rawValue: Int(FAULTY_SIZE))
    /// What the power may be lost at.
    static let change: Kinds = [.write, .truncate, .sync, .delete]
  }

  /// Files, as a set.
  struct Files: OptionSet {
    let rawValue: Int
    static let main = Files(rawValue: Int(FAULTY_MAIN))
    static let log = Files(rawValue: Int(FAULTY_LOG))
    static let every = Files(rawValue: Int(FAULTY_ANY))
  }

  /// What SQLite knows it by.
  let name = "faulty-\(UUID().uuidString)"
  // It has a lock of its own.
  private nonisolated(unsafe) let disk: OpaquePointer

  init() { disk = faulty_disk_create(name) }

  deinit { faulty_disk_destroy(disk) }

  /// A storage on this disk, whose log is moved by a commit when it has so many pages, or by another thread
  /// when it has as many as are given for that.
  func storage(
    _ path: String, _ durability: Durability, logPages: Int = 1000, movedPages: Int? = nil
  ) throws -> SQLiteStorage {
    let storage = try SQLiteStorage(
      path: path, durability: durability, watching: .none, log: .init(), vfs: name)
    try storage.limit(waiting: 1, logPages: logPages, movedPages: movedPages)
    return storage
  }

  func count(_ kinds: Kinds, _ files: Files = .every) -> Int {
    Int(faulty_disk_count(disk, Int32(kinds.rawValue), Int32(files.rawValue)))
  }

  /// From the `number`-th operation on, `times` of them fail.
  func fail(
    _ kinds: Kinds, _ files: Files = .every, at number: Int = 1, times: Int = 1, with code: Int32
  ) {
    faulty_disk_fail(
      disk, Int32(kinds.rawValue), Int32(files.rawValue), Int64(number), Int64(times), code)
  }

  /// The system refuses operations, as a device does that has been locked.
  func protect(_ kinds: Kinds, _ files: Files = .every, with code: Int32) {
    faulty_disk_set_system_error(disk, EPERM)
    fail(kinds, files, times: .max, with: code)
  }

  /// Nothing fails any more.
  func heal() {
    faulty_disk_set_system_error(disk, 0)
    fail([], with: SQLITE_OK)
  }

  /// How many operations have failed since they were told to.
  var failures: Int { Int(faulty_disk_failures(disk)) }

  func losePower(at number: Int) { faulty_disk_lose_power(disk, Int64(number)) }

  func killProcess(at number: Int) { faulty_disk_kill(disk, Int64(number)) }

  var isOff: Bool { faulty_disk_is_off(disk) != 0 }

  func ignoreSyncs(_ files: Files) { faulty_disk_ignore_syncs(disk, Int32(files.rawValue)) }

  /// Syncs of these files don't end before others are given, or none.
  func holdSyncs(_ files: Files) { faulty_disk_hold_syncs(disk, Int32(files.rawValue)) }

  /// The number of syncs that have begun and are being held.
  var waitingSyncs: Int { Int(faulty_disk_waiting_syncs(disk)) }

  /// Writes what the disk may hold after the power has gone into a new folder, and gives that.
  func remains(_ seed: UInt64) throws -> String {
    let folder = try temporaryFolder("remains")
    guard faulty_disk_save(disk, folder, seed) != 0 else { throw CocoaError(.fileWriteUnknown) }
    return folder
  }
}

/// A new folder, which goes with the process.
func temporaryFolder(_ name: String) throws -> String {
  let folder = temporaryPath(name)
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  return folder
}

public import EntityStore
internal import Locking

extension Store {
  /// Copies the last version into a new file, while the store is in use.
  ///
  ///     try store.backUp(to: "garage-2026-11-22.db") { print($0.fraction) }
  ///     let copy = try Store(
  ///       .sqlite(path: "garage-2026-11-22.db"), entities: [Person.self, Car.self])
  ///
  /// The copy is of one version, the last one when the call began. Commits made meanwhile aren't in
  /// it. Reads don't wait for it, not even those that `progress` makes, and commits wait no longer
  /// than for any other read. The copy is a complete file that opens as a store, also if the
  /// original store is in memory. Until it is complete and on the disk, it has another name: `path`
  /// with `.partial-` and some digits. So if the process is killed, no incomplete file is left at
  /// `path`. A file left at the other name may be deleted. If the call throws, it leaves nothing
  /// behind. But if the disk fails at the very end, a copy that has replaced a file stays.
  ///
  /// A copy of a file has the file's tables as they are, including those of entities that the store
  /// was opened without. Its read transaction is open for as long as the copy takes, so the file's
  /// WAL grows by what is committed meanwhile. A copy of a store in memory, or on a server, has the
  /// store's objects.
  ///
  /// Before anything is in the copy, it gets the store file's permissions to read and write. Its
  /// owner is that of the process, who may write to it until it is complete. Its group is that of
  /// the file, if the process may set it. Otherwise the group has no permissions, and all others
  /// have none that the file's group lacks. A copy of a store in memory has the permissions of the
  /// file that it replaces, or else those that the process gives to new files.
  ///
  /// The calling thread does the work. Call it off the main actor if the file is large.
  ///
  /// - Parameters:
  ///   - path: the path of the copy. Its folder must exist.
  ///   - migrations: the list with which the app opens the copy. A copy of a store in memory, or on
  ///     a server, records exactly its names: the objects have today's form, and need none of the
  ///     migrations. If it is nil, a copy of a store on a server records those with which the store
  ///     was opened, and one of a store in memory records none. A copy of a file has the names that
  ///     the file has.
  ///   - replacingFile: true to replace an existing file, in one step and at the end. The store's
  ///     own file is never replaced. Nor is a file with a `-wal` or `-journal` beside it: every
  ///     open store that may write has one, and so has a database that wasn't closed. A file that
  ///     other stores only read can't be distinguished from a closed one. Nor can a database of
  ///     another program that keeps its journal elsewhere, or has none while nobody writes.
  ///   - pagesAtATime: the number of pages, or objects, after which `progress` is called.
  ///   - progress: receives the progress, from none to all. If it throws, the copy ends with its
  ///     error.
  /// - Returns: the version of the copy.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` with the kind `exists`, `full`, `cannotOpen`
  ///   (also if `path` is empty or names no file) and so on; `CancellationError` if the task is
  ///   cancelled; an error of `progress`.
  /// - Precondition: `pagesAtATime` is more than 0, and the names of the migrations differ.
  /// - Complexity: O(*n*) where *n* is the size of the file.
  @discardableResult
  public func backUp(
    to path: String, migrations: [Migration]? = nil, replacingFile: Bool = false,
    pagesAtATime: Int = 256,
    progress: (Store.BackupProgress) throws -> Void = { _ in }
  ) throws -> Int64 {
    mustHold(
      pagesAtATime > 0, "A backup of \(pagesAtATime) pages at a time never ends; use 1 or more")
    Migration.checkNames(migrations ?? [])
    try StorageFault.check(path: path)
    let report: (Store.BackupProgress) throws -> Void = {
      try progress($0)
      try Task.checkCancellation()
    }
    let own = (storage as? SQLiteStorage)?.path
    let file = try AtomicFile(path: path, isReplacing: replacingFile, own: own)
    do {
      let version =
        if let storage = storage as? SQLiteStorage {
          try storage.copyPages(to: file.draft, pagesAtATime, report)
        } else {
          try copyObjects(to: file.draftLikeReplaced(), migrations, pagesAtATime, report)
        }
      try file.finish()
      return version
    } catch {
      file.discard()
      throw error
    }
  }
}

public import EntityStore
internal import Locking

extension Store {
  /// Copies the last version into a new file, while the store is in use.
  ///
  ///     try store.backUp(to: "garage-2026-11-22.db") { print($0.fraction) }
  ///     let copy = try Store(.sqlite(path: "garage-2026-11-22.db"), entities: [Person.self, Car.self])
  ///
  /// The copy is of one version, the last one when the call began; commits made meanwhile aren't in it.
  /// Neither commits nor reads wait for it, also not those that `progress` makes. It is a whole file
  /// that opens as a store, from a store in memory, too. Until it is complete and on the disk it has another name, `path`
  /// with `.partial-` and some digits, so that nothing stands at `path` if the process is killed; a file
  /// left behind so may be deleted. What throws leaves nothing behind.
  ///
  /// From a file the copy has the pages as they are, with all tables, also those of entities that the
  /// store was opened without. Its read transaction is open for as long as the copy takes, so the file's
  /// log grows by what is committed meanwhile. From a store in memory it has the store's objects.
  ///
  /// Who may read and write the copy is as with the store's file, before anything is in it. Its owner is
  /// that of the process. Its group is the file's where the process may give it that; where it may not, the group has
  /// no rights, and all others have none that the file's group lacks. A copy of a store in memory has the rights of the file that it replaces, or else those
  /// that the process gives new files.
  ///
  /// The calling thread does the work; call it off the main actor where the file is large.
  ///
  /// - Parameters:
  ///   - path: where the copy goes. Its folder must be there.
  ///   - migrations: the list that the app opens its files with, whose names the copy of a store in memory
  ///     gets: its objects have today's form, and need none of them. The copy of a file has the names that
  ///     the file has.
  ///   - replacingFile: whether a file that stands there is replaced, at once and at the end. One beside
  ///     which a `-wal` or `-journal` stands never is: every store that is open has one, and a database
  ///     that wasn't closed. A database of another program that keeps its journal elsewhere, or has none
  ///     while nobody writes, can't be told from a closed one.
  ///   - pagesAtATime: after how many pages, or objects, `progress` is called.
  ///   - progress: is told how far it is, from none to all; what it throws ends the copy.
  /// - Returns: the version of the copy.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` with the kind `exists`, `full`, `cannotOpen` (also
  ///   where `path` is empty or names no file) and so on; `CancellationError` if the task is cancelled; what `progress` throws.
  /// - Precondition: `pagesAtATime` is more than 0, and the names of the migrations differ.
  /// - Complexity: O(*n*) where *n* is the size of the file.
  @discardableResult
  public func backUp(
    to path: String, migrations: [Migration] = [], replacingFile: Bool = false,
    pagesAtATime: Int = 256,
    progress: (BackupProgress) throws -> Void = { _ in }
  ) throws -> Int64 {
    mustHold(
      pagesAtATime > 0, "A backup of \(pagesAtATime) pages at a time never ends; use 1 or more")
    Migration.checkNames(migrations)
    try StorageFault.check(path: path)
    let report: (BackupProgress) throws -> Void = {
      try progress($0)
      try Task.checkCancellation()
    }
    let file = try AtomicFile(path: path, isReplacing: replacingFile)
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

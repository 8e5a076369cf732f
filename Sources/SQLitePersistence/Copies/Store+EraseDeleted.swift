@_spi(Storage) public import EntityStore

extension Store {
  /// Erases the old values of deleted and changed objects from the store's file.
  ///
  ///     try store.commit { try $0.delete(Person.self, 7) }
  ///     try store.eraseDeleted()
  ///     try store.backUp(to: "without-7.db")
  ///
  /// The file's change log, which shows other processes the changes, is emptied, and so is the
  /// history that the file keeps for undo. Then the file is rewritten without its free pages, and
  /// the `-wal` beside it is emptied. When this returns, neither these two nor a backup that is
  /// made from here on has any value that no object has, except for one number: the highest whole
  /// number that has been an entity's id stays. Otherwise `nextID` would give it again. Samples of
  /// values that `ANALYZE` of another tool has stored for query planning are deleted, including
  /// those of existing objects.
  ///
  /// Some old values are out of its reach:
  /// - backups, exports and copies made before
  /// - the copy beside a file that a killed migration has left (`….before-migration`)
  /// - blocks that the disk itself keeps after they were overwritten, as solid-state disks do
  /// - values in memory. Models and snapshots keep what they have. So does `history`, and `undo`
  ///   would bring it back. If undo is on, call `clearHistory()` before.
  ///
  /// Nothing changes for this store, and no event is delivered. Other processes and stores that are
  /// behind read from scratch, and their models publish the exact difference. Nobody can write
  /// meanwhile, so call it off the main actor. The file's disk needs room for twice the file's size
  /// at the worst. Of an encrypted file, a copy is in memory meanwhile. A store in memory has
  /// nothing to erase.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``: `busy` if others read or write for longer
  ///   than the store's `busyTimeout`, `full` and so on. The objects are as they were, and some old
  ///   values may still exist: call it again.
  /// - Precondition: it isn't called in the body of a commit.
  /// - Complexity: O(*n*) where *n* is the size of the file.
  public func eraseDeleted() throws {
    try betweenCommits("eraseDeleted()") { storage in
      try (storage as? SQLiteStorage)?.eraseDeleted {
        forgetKeptHistory()
      } note: {
        noteMark(of: $0, old: $1, new: $2)
      }
    }
  }
}

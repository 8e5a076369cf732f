public import EntityStore

extension Store {
  /// Has the store's file forget what was deleted or changed: the old values are found in it no more.
  ///
  ///     try store.commit { try $0.delete(Person.self, 7) }
  ///     try store.eraseDeleted()
  ///     try store.backUp(to: "without-7.db")
  ///
  /// The file's log, from which other processes learn what has changed, is emptied. Then the file is written anew
  /// without its free pages, and the `-wal` beside it is emptied. When this returns, neither these two nor a backup
  /// that is made from here on has any value that no object has, but for one
  /// number: the highest whole number that has been an entity's id stays, or `nextID` would give it once more. Samples of
  /// values that `ANALYZE` of another tool has kept for planning queries go, also those of objects that are there.
  ///
  /// What it doesn't reach: backups, exports and copies made before, the copy beside a file that a killed migration has
  /// left (`….before-migration`), what the disk itself keeps of blocks that were written over (as solid-state
  /// disks do), and memory: models and snapshots hold what they hold, and so does `history`, by which `undo` would
  /// bring it back: call `clearHistory()` before, where undo is on.
  ///
  /// Nothing changes for this store, and no event is told. Other processes and stores that are behind read anew, and
  /// their models tell the exact difference. Nobody can write meanwhile, so call it off the main actor. The
  /// file's disk needs room for twice the file's size at the worst. A store in memory has nothing to erase.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``: `busy` if others read or write for longer than five seconds, `full` and so
  ///   on. The objects are as they were, and some old values may be there still: call it again.
  /// - Precondition: it isn't called in the body of a commit.
  /// - Complexity: O(*n*) where *n* is the size of the file.
  public func eraseDeleted() throws {
    try betweenCommits("eraseDeleted()") { storage in
      try (storage as? SQLiteStorage)?.eraseDeleted()
    }
  }
}

internal import CSQLite
internal import EntityStore

// SQLite's own checkpoint at the end of a commit keeps its errors to itself. After a sync that failed,
// the system may take what wasn't written for written; under `.normal` the log then has a hole that
// nobody knows of, and pages moved out of it would be the only copy. So we move the log, and look.
extension Connection {
  /// Has the length of the log noted after each commit, in the place of SQLite's own checkpoint.
  func watchLog() {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().logPages = pages
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Moves the log into the file if it has grown long.
  ///
  /// What fails for another reason than a sync is left for the next time: the log has it all.
  func moveLogIfLong() {
    guard logPages >= mostLogPages else { return }
    logPages = 0
    activity = .movingLog
    let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    if code == signalbox_ioerr_fsync || code == signalbox_ioerr_dir_fsync { logFault = fault(code) }
  }
}

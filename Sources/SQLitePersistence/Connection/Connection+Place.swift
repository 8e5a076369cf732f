internal import SQLiteLibrary
internal import EntityStore

// The path of the file that a connection has open.
extension Connection {
  /// The path at which SQLite has the file, even if the working folder has changed since.
  var absolutePath: String {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? path
  }

  /// True if the open file has been deleted or another file has replaced it, as far as the system
  /// reports it.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// The fault of a commit that was written while another process may have had different shared
  /// memory, or nil.
  var lostShare: StorageFault? { place?.sharedFault(activity) }

  /// Throws if the file has been deleted or replaced since it was opened.
  func checkPlace() throws {
    if let fault = place?.fault(activity) { throw StoreError.storage(fault) }
  }
}

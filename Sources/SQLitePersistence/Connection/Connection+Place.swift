internal import CSQLite
internal import EntityStore

// Where the file is that a connection has open.
extension Connection {
  /// Where SQLite has the file, whatever the working folder is by then.
  var absolutePath: String {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? path
  }

  /// Whether another file has taken the place of the one that it has open, or none, as far as the system says.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// The fault of a commit that has been written while another process may have had other shared memory, or nil.
  var lostShare: StorageFault? { place?.sharedFault(activity) }

  /// Throws if the file isn't where it was opened any more.
  func checkPlace() throws {
    if let fault = place?.fault(activity) { throw StoreError.storage(fault) }
  }
}

@_spi(Storage) package import EntityStore
internal import Locking

extension SQLiteStorage: FileStorage {
  package var filePath: String { path }

  package var firstMark: StorageMark { idle.withLock { $0.firstMark } }

  /// Empties the change log, and rewrites the file without what was deleted.
  ///
  /// It is called while this storage makes no commit. `cleared` is called once the history that the
  /// file keeps has been cleared, also if the file can't be rewritten then. `note` receives the
  /// version that the file had before, that version's mark until now, and its mark from now on. It
  /// is called after each step that changes the mark, since a later one may fail. If others commit
  /// meanwhile, the file is rewritten again.
  func eraseDeleted(
    _ cleared: () -> Void,
    note: (_ version: Int64, _ old: StorageMark?, _ new: StorageMark?) -> Void
  ) throws {
    try checkIsWritable(.erasing)
    let connection = writer.connection
    try erasing {
      try connection.checkPlace()
      // It reads the whole file, and nobody has to wait for that.
      try TreeCheck(connection).check(isForCopy: true)
    }
    var end: ContinuousClock.Instant?
    while true {
      let (version, old, cleanMark) = try clearOldValues()
      if cleanMark != old { note(version, old, cleanMark) }
      if end == nil { cleared() }
      var mark = cleanMark
      let result: Result<Void, any Error> = try erasing {
        let result = Result { try connection.writeAnew() }
        mark = (try? currentMark(of: version)) ?? cleanMark
        return result
      }
      if mark != cleanMark { note(version, cleanMark, mark) }
      // The first round may take any time.
      let last = end ?? ContinuousClock.now + connection.busyHandler.limit
      end = last
      // The file may be another one, although its -wal has old values still.
      let second = try SQLiteTransaction(writer)
      // The log has the old values of a commit that others have made meanwhile.
      let isOvertaken = second.version != version
      if isOvertaken, case .success = result, ContinuousClock.now < last {
        second.rollBack()
        continue
      }
      try second.rollingBack {
        try connection.search.fillAgain()
        let new = try second.mark(of: version)
        try second.commit()
        if new != mark { note(version, mark, new) }
      }
      try result.get()
      if !isOvertaken { return }
      connection.activity = .erasing
      throw connection.erasingFault
    }
  }

  /// Runs `body` inside the gate.
  private func erasing<Value>(_ body: () throws -> Value) throws -> Value {
    writer.connection.activity = .erasing
    try gate.enter(.erasing)
    defer { gate.leave() }
    return try body()
  }

  /// Returns the mark that a version has now, or nil if the change log no longer has the version.
  private func currentMark(of version: Int64) throws -> StorageMark? {
    let connection = writer.connection
    try connection.begin()
    defer { try? connection.execute("ROLLBACK") }
    guard let watch = connection.schemaWatch else { return nil }
    try watch.check()
    let token = try connection.control.token(of: version)
    return token.map { StorageMark(token: $0, layout: watch.layout) }
  }

  /// Deletes the old values that the file's tables have, and returns the version, and its marks
  /// before and afterwards.
  private func clearOldValues() throws -> (version: Int64, old: StorageMark?, new: StorageMark?) {
    let connection = writer.connection
    let transaction = try SQLiteTransaction(writer)
    let version = transaction.version
    let old = try? transaction.mark(of: version)
    connection.activity = .erasing
    let new = try transaction.rollingBack {
      try connection.withOverwriting {
        try writer.log.makeRoom(keeping: version)
        try connection.forgetSamples()
        try connection.search.erase()
        try connection.clearHistory()
      }
      // The indexes of words have been made again.
      try connection.schemaWatch?.check()
      return try transaction.mark(of: version)
    }
    try transaction.commit()
    return (version, old, new)
  }

  package func isMadeAgain(_ mark: StorageMark, since earlier: StorageMark) -> Bool {
    // A store that only reads can't make a version for that. With the next version it reads again,
    // because the changes since this mark are unknown.
    !file.isReadOnly && SchemaWatch.isMadeAgain(mark.layout, since: earlier.layout)
  }

  package func skip(past version: Int64) throws {
    if file.isReadOnly {
      throw StoreError.fault(
        .replaced,
        "\(path): somebody has put back an older copy, and has committed since; open the store again",
        path: path)
    }
    let transaction = try SQLiteTransaction(writer)
    try transaction.rollingBack { try transaction.skip(past: version) }
    try transaction.commit()
  }
}

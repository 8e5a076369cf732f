extension StorageFault {
  package static func closed(path: String?) -> StorageFault {
    let sentence =
      path.map { "\($0): the store is closed; open the file with another one to go on" }
      ?? "The store is closed; make another one to go on"
    return StorageFault(.closed, sentence, path: path)
  }

  /// Throws if a caller's path can't be the path of a file, before anything is opened or created.
  ///
  /// SQLite would treat an empty path and `:memory:` as databases without a file, which several
  /// connections can't share. The system ends a path at a NUL, and would create another file.
  package static func check(path: String) throws {
    guard let sentence = complaint(about: path) else { return }
    throw StoreError.fault(.cannotOpen, sentence, path: path)
  }

  private static func complaint(about path: String) -> String? {
    let advice = "give the path of a file, or use .inMemory for a store without one"
    if path.isEmpty { return "The path is empty; \(advice)" }
    if path.utf8.contains(0) {
      return
        "The path \(quoted(path)) has a NUL in it, where the system would end it; take that out"
    }
    if path == ":memory:" { return "The path \(quoted(path)) is no file's; \(advice)" }
    if path.hasPrefix("file:") {
      return "The path \(quoted(path)) is a URL; give it without \"file:\", as the path of a file"
    }
    return nil
  }

  /// Returns the path in quotes, with escapes for all that isn't harmless in a log.
  private static func quoted(_ path: String) -> String {
    "\"\(path.harmless(atMost: WordLimit.sentence))\""
  }
}

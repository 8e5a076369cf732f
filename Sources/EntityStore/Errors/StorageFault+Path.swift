extension StorageFault {
  /// Throws if what a caller gives as the path of a file can't be one, before anything is opened or made.
  ///
  /// SQLite would take an empty path and `:memory:` for databases without a file, which several connections
  /// can't share. The system ends a path at a NUL, and would make another file.
  package static func check(path: String) throws {
    guard let sentence = complaint(about: path) else { return }
    throw StoreError.storage(StorageFault(.cannotOpen, sentence, path: path))
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

  /// The path in quotes; what isn't harmless in a log is written out.
  private static func quoted(_ path: String) -> String {
    "\"\(path.harmless(atMost: WordLimit.sentence))\""
  }
}

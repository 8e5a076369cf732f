public import EntityStore
public import Foundation

extension Store {
  /// Writes all objects as lines of JSON, of one version.
  ///
  ///     try store.exportJSONLines { try handle.write(contentsOf: $0) }
  ///
  /// The first line is a header, every other one an object:
  ///
  ///     {"format":"signalbox-objects","version":1,"entities":[{"name":"Car","count":1}]}
  ///     {"entity":"Car","values":{"id":7,"model":"Beetle","owner":"ann","price":1.5}}
  ///
  /// Entities come in the order of their names, objects in that of their ids, so stores that are equal
  /// give the same bytes. Values have their stored forms: whole numbers are exact, though readers that
  /// take all numbers for `Double` lose some beyond 2^53; numbers with a fraction come back as they
  /// were, infinities as "Infinity" and "-Infinity"; bytes, also those of a `UUID` or a `UInt64`, are
  /// base64; a date is its seconds since 1970, `Bool` 0 or 1, and a composite id an object of its parts.
  ///
  /// The memory used is that of some hundred objects. On a file its read transaction is open for as
  /// long as it takes, so the file's log grows by what is committed meanwhile; no commit waits.
  ///
  /// - Parameters:
  ///   - progress: is told at the start, after each thousand objects and at the end; what it throws
  ///     ends the export.
  ///   - write: is given the text, some 64 KB at a time.
  /// - Throws: ``/EntityStore/StoreError``; `CancellationError` if the task is cancelled; what the closures throw.
  /// - Complexity: O(*n*) for *n* objects in memory, O(*n* log *n*) in a file.
  public func exportJSONLines(
    progress: (JSONLinesProgress) throws -> Void = { _ in }, to write: (Data) throws -> Void
  ) throws {
    let entities = entities.sorted { TextBytes.compare($0.name, $1.name) < 0 }
    let pageSize = storage is InMemoryStorage ? nil : 256
    try withStorageReader { reader in
      let counts = try entities.map { ($0.name, try reader.count($0, where: nil)) }
      let total = counts.reduce(0) { $0 + $1.1 }
      var writer = JSONLineWriter()
      func flush(over size: Int) throws {
        guard writer.bytes.count > size else { return }
        try write(Data(writer.bytes))
        writer.clear()
      }
      var completed = 0
      func report() throws {
        try progress(JSONLinesProgress(completed: completed, of: total))
        try Task.checkCancellation()
      }
      writer.header(counts)
      try report()
      for entity in entities {
        let shape = JSONLineShape(entity)
        var pages = ObjectPages(entity, size: pageSize)
        while let rows = try pages.next(reader) {
          for row in rows {
            writer.object(row.values, shape)
            try flush(over: 1 << 16)
            completed += 1
            if completed % JSONLinesProgress.step == 0 && completed < total { try report() }
          }
        }
      }
      try flush(over: 0)
      if total > 0 { try report() }
    }
  }

  /// Writes all objects as lines of JSON into a new file.
  ///
  /// Who may read and write it is as with the store's file, before anything is in it. That of a store in memory has
  /// the rights of the file that it replaces, or else those that the process gives new files.
  ///
  /// The file has its name when it is complete and on the disk; what throws leaves none behind.
  ///
  /// - Parameters:
  ///   - url: where the file goes. Its folder must be there.
  ///   - replacingFile: whether a file that stands there is replaced.
  ///   - progress: is told at the start, after each thousand objects and at the end.
  /// - Throws: ``/EntityStore/StoreError``, with a `StorageFault` of the kind `exists` if a file stands there, or a
  ///   database that is open, as the store's own one is, and
  ///   `cannotOpen` if the URL has a NUL in it; Foundation's errors about files; `CancellationError` if the task is cancelled; what `progress` throws.
  public func exportJSONLines(
    to url: URL, replacingFile: Bool = false,
    progress: (JSONLinesProgress) throws -> Void = { _ in }
  ) throws {
    try StorageFault.check(path: url.path(percentEncoded: false))
    let files = FileManager.default
    let draft = url.appendingPathExtension(
      "partial-" + String(UInt64.random(in: 0...(.max)), radix: 16))
    func checkFree() throws {
      for suffix in ["-wal", "-journal"] where files.fileExists(atPath: url.path + suffix) {
        throw StoreError.storage(
          StorageFault(
            .exists,
            "\(url.path): a database there is open, or wasn't closed, since \(url.lastPathComponent)\(suffix) "
              + "stands beside it; choose another path"))
      }
      guard !replacingFile && files.fileExists(atPath: url.path) else { return }
      throw StoreError.storage(
        StorageFault(
          .exists,
          "\(url.path): a file stands there already; choose another path, or pass replacingFile: true"
        ))
    }
    try checkFree()
    let file = try makeDraft(draft, replacing: replacingFile ? url : nil)
    do {
      do {
        try exportJSONLines(progress: progress) { try file.write(contentsOf: $0) }
        try file.synchronize()
        try file.close()
      } catch {
        try? file.close()
        throw error
      }
      try checkFree()
      if replacingFile {
        try Self.replace(url, with: draft)
      } else {
        try files.moveItem(at: draft, to: url)
      }
    } catch {
      try? files.removeItem(at: draft)
      throw error
    }
  }

  /// Makes an empty file with the rights of the store's, or of the file that it is to replace, and opens it.
  ///
  /// By its name it may not be opened to write, if these rights are to read alone.
  private func makeDraft(_ draft: URL, replacing replaced: URL?) throws -> FileHandle {
    #if os(Windows)
    try Data().write(to: draft, options: .withoutOverwriting)
    return try FileHandle(forWritingTo: draft)
    #else
    let source = (storage as? any FileStorage)?.filePath ?? replaced?.path
    var status = stat()
    let mode: mode_t? = source.flatMap { stat($0, &status) == 0 ? status.st_mode & 0o777 : nil }
    let descriptor = open(
      draft.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode == nil ? 0o666 : 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard var mode else { return file }
    var made = stat()
    if fstat(descriptor, &made) == 0, made.st_gid != status.st_gid,
      fchown(descriptor, uid_t.max, status.st_gid) != 0
    {
      // It has another group: that may do nothing, and all others no more than the right one.
      mode = (mode & 0o700) | (mode & (mode >> 3) & 0o007)
    }
    // Whatever the process takes away from new files.
    if fchmod(descriptor, mode) != 0 {
      let code = POSIXErrorCode(rawValue: errno) ?? .EIO
      unlink(draft.path)
      throw POSIXError(code)
    }
    return file
    #endif
  }

  /// Gives a file another name, in the place of what has it, at once.
  private static func replace(_ url: URL, with file: URL) throws {
    #if os(Windows)
    _ = try FileManager.default.replaceItemAt(url, withItemAt: file)
    #else
    // Foundation's own way fails on Linux where both are in one folder.
    guard rename(file.path, url.path) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    #endif
  }
}

@_spi(Storage) public import EntityStore
public import Foundation

extension Store {
  /// Writes all objects of one version as lines of JSON.
  ///
  ///     try store.exportJSONLines { try handle.write(contentsOf: $0) }
  ///
  /// The first line is a header, and every other line is an object:
  ///
  ///     {"format":"signalbox-objects","version":1,"entities":[{"name":"Car","count":1}]}
  ///     {"entity":"Car","values":{"id":7,"model":"Beetle","owner":"ann","price":1.5}}
  ///
  /// Entities are in the order of their names, and objects in the order of their ids. So equal
  /// stores give the same bytes. Values have their stored forms:
  ///
  /// - Whole numbers are exact. Readers that use `Double` for all numbers lose some beyond 2^53.
  /// - Numbers with a fraction come back as they were. Infinities are "Infinity" and "-Infinity".
  /// - Bytes are base64, also those of a `UUID` or a `UInt64`.
  /// - A date is its seconds since 1970, `Bool` is 0 or 1, and a composite id is an object of its
  ///   parts.
  ///
  /// The export uses the memory of some hundred objects. Of a store in memory, it uses some 30
  /// bytes for each object of the largest entity. On a file, its read transaction is open for the
  /// whole time. So the file's WAL grows by what is committed meanwhile; no commit waits.
  ///
  /// - Parameters:
  ///   - progress: Called at the start, after each thousand objects and at the end. An error that
  ///     it throws ends the export.
  ///   - write: Receives the text, some 64 KB at a time.
  /// - Throws: ``/EntityStore/StoreError``; `CancellationError` if the task is cancelled; errors
  ///   that the closures throw.
  /// - Complexity: O(*n* log *n*) for *n* objects.
  public func exportJSONLines(
    progress: (JSONLines.Progress) throws -> Void = { _ in }, to write: (Data) throws -> Void
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
        try progress(JSONLines.Progress(completed: completed, of: total))
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
            if completed % JSONLines.Progress.step == 0 && completed < total { try report() }
          }
        }
      }
      try flush(over: 0)
      if total > 0 { try report() }
    }
  }

  /// Writes all objects as lines of JSON into a new file.
  ///
  /// Before anything is written to it, the file has the access rights of the store's file. For a
  /// store in memory, it has the rights of the file that it replaces, or else those that the
  /// process gives to new files.
  ///
  /// The file gets its name when it is complete and on the disk. If the export throws, it leaves no
  /// file behind.
  ///
  /// - Parameters:
  ///   - url: The file to write. Its folder must exist.
  ///   - replacingFile: True to replace a file that exists there.
  ///   - progress: Called at the start, after each thousand objects and at the end.
  /// - Throws: ``/EntityStore/StoreError``, with a `StorageFault` of the kind `exists` if a file
  ///   exists there, or an open database, such as the store's own one, and of the kind `cannotOpen`
  ///   if the URL contains a NUL; Foundation's errors about files; `CancellationError` if the task
  ///   is cancelled; the error that `progress` throws.
  public func exportJSONLines(
    to url: URL, replacingFile: Bool = false,
    progress: (JSONLines.Progress) throws -> Void = { _ in }
  ) throws {
    try StorageFault.check(path: url.path(percentEncoded: false))
    let files = FileManager.default
    // The file's own name may be as long as the folder allows.
    let draft = url.deletingLastPathComponent().appendingPathComponent(
      "signalbox-partial-" + String(UInt64.random(in: 0...(.max)), radix: 16))
    func checkFree() throws {
      // A store that only reads has nothing beside its file.
      if let own = (storage as? any FileStorage)?.filePath, Self.isSame(own, url) {
        throw StoreError.fault(
          .exists, "\(url.path): it is the store's own file; choose another path")
      }
      for suffix in ["-wal", "-journal"] where files.fileExists(atPath: url.path + suffix) {
        throw StoreError.fault(
          .exists,
          "\(url.path): a database there is open, or wasn't closed, since \(url.lastPathComponent)\(suffix) "
            + "stands beside it; choose another path")
      }
      guard !replacingFile && files.fileExists(atPath: url.path) else { return }
      throw StoreError.fault(
        .exists,
        "\(url.path): a file stands there already; choose another path, or pass replacingFile: true"
      )
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

  /// Creates and opens an empty file with the rights of the store's file, or of the file to
  /// replace.
  ///
  /// If these rights only allow reading, the file can't be opened for writing by its name.
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
      // The file has another group. That group gets no rights, and all others get no more than the
      // right group has.
      mode = (mode & 0o700) | (mode & (mode >> 3) & 0o007)
    }
    // This overrides the rights that the process takes away from new files.
    if fchmod(descriptor, mode) != 0 {
      let code = POSIXErrorCode(rawValue: errno) ?? .EIO
      unlink(draft.path)
      throw POSIXError(code)
    }
    return file
    #endif
  }

  /// Returns true if a path and a URL name one file, however they are spelled.
  private static func isSame(_ path: String, _ url: URL) -> Bool {
    #if os(Windows)
    return URL(fileURLWithPath: path).standardizedFileURL.path == url.standardizedFileURL.path
    #else
    var one = stat()
    var other = stat()
    guard stat(path, &one) == 0, stat(url.path, &other) == 0 else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    #endif
  }

  /// Renames a file in one step, and replaces the file that has the name.
  private static func replace(_ url: URL, with file: URL) throws {
    #if os(Windows)
    _ = try FileManager.default.replaceItemAt(url, withItemAt: file)
    #else
    // Foundation's function fails on Linux if both files are in one folder.
    guard rename(file.path, url.path) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    #endif
  }
}

public import EntityStore
public import Foundation

extension Store {
  /// Reads objects from lines of JSON, as ``exportJSONLines(progress:to:)`` writes them.
  ///
  ///     try store.importJSONLines(existing: .skip) { try file.read(upToCount: 1 << 16) }
  ///
  /// Everything is one commit unless `objectsPerCommit` says otherwise: all objects or none, judged by
  /// the rules of their schemas, in one event. An object may refer to one that comes later.
  ///
  /// Lines that an older schema has written are read as a file is opened, as far as names tell. An attribute that
  /// a line leaves out has its schema's default, as has one that is null there and may not be nil any more; an optional one
  /// is nil. What has another name since is read by `renamedFrom:`, of an entity if the header doesn't list the
  /// newer name, of an attribute if the line doesn't have it; what is `.dropped` is left out. Any other name is
  /// refused. Names are compared by their bytes.
  ///
  /// One commit holds all objects in memory, each once. With a number of objects a commit it holds those
  /// of one commit, and those that wait for an object they refer to that hasn't come yet: many, where an entity
  /// refers to one whose name comes after its own. Those that refer to each other in a
  /// circle are written together in the last commit. If such an import fails, what has been
  /// committed stays, and it can be done again with ``ExistingObjects/skip``.
  ///
  /// - Parameters:
  ///   - existing: what happens with an object whose id the store, or an earlier line, has.
  ///   - objectsPerCommit: how many objects a commit has; nil for one commit with all.
  ///   - limits: how long a line may be, how many values it may have, and how deep; what is beyond them is refused.
  ///   - progress: is told how many objects have been read, at the start, after each thousand and
  ///     at the end, when everything is committed; what it throws ends the import.
  ///   - read: gives the next bytes, in any pieces; nil or none at the end.
  /// - Returns: how many objects are new, replaced and left out.
  /// - Throws: ``JSONLinesError``, which names the line; ``/EntityStore/StoreError`` of the storage; `CancellationError`
  ///   if the task is cancelled; what the closures throw.
  /// - Precondition: `objectsPerCommit` is more than 0.
  /// - Complexity: O(*n*) for *n* bytes, in whatever pieces they come, and one commit of the objects.
  @discardableResult
  public func importJSONLines(
    existing: ExistingObjects = .refuse, objectsPerCommit: Int? = nil,
    limits: JSONLinesLimits = JSONLinesLimits(),
    progress: (JSONLinesProgress) throws -> Void = { _ in }, from read: () throws -> Data?
  ) throws -> JSONLinesResult {
    var importer = JSONLinesImporter(
      self, existing, objectsPerCommit: objectsPerCommit, limits: limits)
    func commit(_ batch: [NumberedRow]) throws {
      do {
        importer.count(try self.commit { try importer.write(batch, $0) })
      } catch {
        throw importer.error(error, of: batch)
      }
    }
    while let bytes = try read(), !bytes.isEmpty {
      try importer.take(bytes, progress)
      while let batch = importer.nextBatch() { try commit(batch) }
    }
    try importer.takeEnd(progress)
    if let batch = importer.nextBatch(isEnd: true) { try commit(batch) }
    try importer.report(progress)
    return importer.result
  }

  /// Reads objects from a file of lines of JSON.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - existing: what happens with an object whose id the store, or an earlier line, has.
  ///   - objectsPerCommit: how many objects a commit has; nil for one commit with all.
  ///   - limits: how long a line may be, how many values it may have, and how deep; what is beyond them is refused.
  ///   - progress: is told how many objects have been read.
  /// - Returns: how many objects are new, replaced and left out.
  /// - Throws: what ``importJSONLines(existing:objectsPerCommit:limits:progress:from:)`` throws, and Foundation's
  ///   errors about files.
  @discardableResult
  public func importJSONLines(
    from url: URL, existing: ExistingObjects = .refuse, objectsPerCommit: Int? = nil,
    limits: JSONLinesLimits = JSONLinesLimits(),
    progress: (JSONLinesProgress) throws -> Void = { _ in }
  ) throws -> JSONLinesResult {
    try StorageFault.check(path: url.path(percentEncoded: false))
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    return try importJSONLines(
      existing: existing, objectsPerCommit: objectsPerCommit, limits: limits, progress: progress
    ) { try file.read(upToCount: 1 << 16) }
  }

  /// Reads objects from lines of JSON that come bit by bit.
  ///
  /// Between two pieces the calling task waits, and no lock is held: commits are made of what has been
  /// read.
  ///
  /// - Parameters:
  ///   - chunks: the bytes, in any pieces.
  ///   - existing: what happens with an object whose id the store, or an earlier line, has.
  ///   - objectsPerCommit: how many objects a commit has; nil for one commit with all.
  ///   - limits: how long a line may be, how many values it may have, and how deep; what is beyond them is refused.
  ///   - progress: is told how many objects have been read.
  /// - Returns: how many objects are new, replaced and left out.
  /// - Throws: what ``importJSONLines(existing:objectsPerCommit:limits:progress:from:)`` throws, and what `chunks`
  ///   throws.
  @discardableResult
  public func importJSONLines<Chunks: AsyncSequence & Sendable>(
    from chunks: Chunks, existing: ExistingObjects = .refuse, objectsPerCommit: Int? = nil,
    limits: JSONLinesLimits = JSONLinesLimits(),
    progress: (JSONLinesProgress) throws -> Void = { _ in }
  ) async throws -> JSONLinesResult where Chunks.Element == Data {
    var importer = JSONLinesImporter(
      self, existing, objectsPerCommit: objectsPerCommit, limits: limits)
    func commit(_ batch: [NumberedRow]) async throws {
      do {
        let made = importer
        importer.count(try await commitAsync { try made.write(batch, $0) })
      } catch {
        throw importer.error(error, of: batch)
      }
    }
    for try await bytes in chunks {
      try importer.take(bytes, progress)
      while let batch = importer.nextBatch() { try await commit(batch) }
    }
    try importer.takeEnd(progress)
    if let batch = importer.nextBatch(isEnd: true) { try await commit(batch) }
    try importer.report(progress)
    return importer.result
  }
}

public import EntityStore
public import Foundation

extension Store {
  /// Reads objects from lines of JSON, as ``exportJSONLines(progress:to:)`` writes them.
  ///
  ///     try store.importJSONLines(existing: .skip) { try file.read(upToCount: 1 << 16) }
  ///
  /// Everything is one commit, unless `objectsPerCommit` is set: all objects or none, checked
  /// against the rules of their schemas, in one event. An object may refer to one that comes later.
  ///
  /// Lines that an older schema has written are read as an older file is opened, as far as names
  /// allow it:
  ///
  /// - An attribute that a line leaves out has the default of its schema. So has an attribute that
  ///   is null in the line and may no longer be nil. An optional attribute without a default is
  ///   nil.
  /// - A former name is found by `renamedFrom:`: that of an entity if the header doesn't list the
  ///   newer name, that of an attribute if the line doesn't have the newer name.
  /// - A value that is `.dropped` is left out. Any other name is refused.
  /// - Names of entities, former names and dropped names are compared by their bytes. In today's
  ///   names of attributes, and in the names of an id's parts, the case of ASCII letters doesn't
  ///   count, unless the line has the exact name as well.
  ///
  /// One commit holds all objects in memory, each once, and those that are replaced. With
  /// `objectsPerCommit`, the import holds the objects of one commit. It also holds those that wait
  /// for an object that they refer to and that hasn't come yet. There are many of them if an entity
  /// refers to one whose name comes after its own. Objects that refer to each other in a circle are
  /// written together in the last commit.
  /// If such an import fails, the commits that it has made stay. It can be repeated with
  /// ``JSONLines/ExistingObjects/skip``.
  ///
  /// - Parameters:
  ///   - existing: The treatment of an object whose id the store, or an earlier line, already has.
  ///   - objectsPerCommit: The number of objects in a commit; nil for one commit with all of them.
  ///   - limits: The limits for the length, the values and the nesting of a line. A line beyond
  ///     them is refused.
  ///   - progress: Called with the number of objects that have been read: at the start, after each
  ///     thousand, and at the end, when everything is committed. An error that it throws ends the
  ///     import.
  ///   - read: Returns the next bytes, in pieces of any size; nil or no bytes at the end.
  /// - Returns: The numbers of objects that are new, replaced and left out.
  /// - Throws: ``JSONLinesError``, which names the line; ``/EntityStore/StoreError`` of the
  ///   storage; `CancellationError` if the task is cancelled; errors that the closures throw.
  /// - Precondition: `objectsPerCommit` is more than 0.
  /// - Complexity: O(*n*) for *n* bytes, in whatever pieces they come, and one commit of the
  ///   objects.
  @discardableResult
  public func importJSONLines(
    existing: JSONLines.ExistingObjects = .refuse, objectsPerCommit: Int? = nil,
    limits: JSONLines.Limits = JSONLines.Limits(),
    progress: (JSONLines.Progress) throws -> Void = { _ in }, from read: () throws -> Data?
  ) throws -> JSONLines.Result {
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
    if !importer.isComplete { try Task.checkCancellation() }
    try importer.takeLastLine(progress)
    while let batch = importer.nextBatch() { try commit(batch) }
    try progress(importer.progress)
    return importer.result
  }

  /// Reads objects from a file of lines of JSON.
  ///
  /// - Parameters:
  ///   - url: The file to read.
  ///   - existing: The treatment of an object whose id the store, or an earlier line, already has.
  ///   - objectsPerCommit: The number of objects in a commit; nil for one commit with all of them.
  ///   - limits: The limits for the length, the values and the nesting of a line. A line beyond
  ///     them is refused.
  ///   - progress: Called with the number of objects that have been read.
  /// - Returns: The numbers of objects that are new, replaced and left out.
  /// - Throws: The errors of ``importJSONLines(existing:objectsPerCommit:limits:progress:from:)``,
  ///   and Foundation's errors about files.
  @discardableResult
  public func importJSONLines(
    from url: URL, existing: JSONLines.ExistingObjects = .refuse, objectsPerCommit: Int? = nil,
    limits: JSONLines.Limits = JSONLines.Limits(),
    progress: (JSONLines.Progress) throws -> Void = { _ in }
  ) throws -> JSONLines.Result {
    try StorageFault.check(path: url.path(percentEncoded: false))
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    return try importJSONLines(
      existing: existing, objectsPerCommit: objectsPerCommit, limits: limits, progress: progress
    ) { try file.read(upToCount: 1 << 16) }
  }

  /// Reads objects from lines of JSON that arrive piece by piece.
  ///
  /// Between two pieces, the calling task waits and no lock is held. Commits are made of the
  /// objects that have been read.
  ///
  /// - Parameters:
  ///   - chunks: The bytes, in pieces of any size.
  ///   - existing: The treatment of an object whose id the store, or an earlier line, already has.
  ///   - objectsPerCommit: The number of objects in a commit; nil for one commit with all of them.
  ///   - limits: The limits for the length, the values and the nesting of a line. A line beyond
  ///     them is refused.
  ///   - progress: Called with the number of objects that have been read.
  /// - Returns: The numbers of objects that are new, replaced and left out.
  /// - Throws: The errors of ``importJSONLines(existing:objectsPerCommit:limits:progress:from:)``,
  ///   and the error that `chunks` throws.
  @discardableResult
  public func importJSONLines<Chunks: AsyncSequence & Sendable>(
    from chunks: Chunks, existing: JSONLines.ExistingObjects = .refuse,
    objectsPerCommit: Int? = nil,
    limits: JSONLines.Limits = JSONLines.Limits(),
    progress: (JSONLines.Progress) throws -> Void = { _ in }
  ) async throws -> JSONLines.Result where Chunks.Element == Data {
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
    // Many sequences end when the task is cancelled, and throw nothing.
    if !importer.isComplete { try Task.checkCancellation() }
    try importer.takeLastLine(progress)
    while let batch = importer.nextBatch() { try await commit(batch) }
    try progress(importer.progress)
    return importer.result
  }
}

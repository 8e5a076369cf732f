@_spi(Storage) internal import EntityStore
internal import Foundation
internal import Locking

/// An import in progress: it turns lines into objects, and objects into batches.
struct JSONLinesImporter {
  private let store: Store
  private let existing: JSONLines.ExistingObjects
  private let objectsPerCommit: Int?
  private(set) var splitter: LineSplitter
  private var lines: JSONLineObjects
  private var waiting = WaitingObjects()
  private var ready: [NumberedRow] = []
  /// The number of them that are already in a batch.
  private var taken = 0
  /// The ids of the objects that are ready, if there is more than one commit.
  private var readyNames: Set<ObjectID> = []
  /// Some of the objects that the store has, so that they aren't looked up for each reference.
  private var storedNames: Set<ObjectID> = []
  private static let mostStoredNames = 10_000
  /// The number of objects that are looked up together.
  private static let mostAhead = 512
  private var read = 0
  private var hasReadLastLine = false
  private(set) var result = JSONLines.Result()

  init(
    _ store: Store, _ existing: JSONLines.ExistingObjects, objectsPerCommit: Int?,
    limits: JSONLines.Limits = JSONLines.Limits()
  ) {
    mustHold(
      objectsPerCommit ?? 1 > 0,
      "An import of \(objectsPerCommit ?? 0) objects a commit; use 1 or more, or nil for one commit"
    )
    self.store = store
    self.existing = existing
    self.objectsPerCommit = objectsPerCommit
    splitter = LineSplitter(limit: limits.lineBytes)
    lines = JSONLineObjects(store.entities, limits: limits)
  }

  // MARK: Reading

  /// Reads bytes of the file, in pieces of any size.
  mutating func take(_ bytes: Data, _ progress: (JSONLines.Progress) throws -> Void) throws {
    // The splitter is moved out, not copied. With a second copy, each piece would copy the
    // unfinished line.
    var splitter = LineSplitter(limit: 0)
    swap(&splitter, &self.splitter)
    defer { swap(&splitter, &self.splitter) }
    try splitter.take(bytes) { try take($0, $1, progress) }
  }

  /// Reads the last line, if it has no line end, and checks that no object is missing.
  mutating func takeLastLine(_ progress: (JSONLines.Progress) throws -> Void) throws {
    var splitter = splitter
    try splitter.takeRest { try take($0, $1, progress) }
    try lines.checkCounts()
    hasReadLastLine = true
  }

  private mutating func take(
    _ number: Int, _ line: [UInt8], _ progress: (JSONLines.Progress) throws -> Void
  ) throws {
    guard let row = try lines.row(number, line) else {
      return try report(progress)
    }
    if objectsPerCommit == nil {
      ready.append(row)
    } else {
      let found = try waiting.ready(row) { entity, id in
        let name = ObjectID(entityName: entity.name, id: id)
        if readyNames.contains(name) { return true }
        if storedNames.contains(name) { return true }
        if try store.storage.row(of: entity, id: id) == nil { return false }
        if storedNames.count == Self.mostStoredNames { storedNames = [] }
        storedNames.insert(name)
        return true
      }
      for row in found { readyNames.insert(row.row.objectID) }
      ready += found
    }
    read += 1
    // The last object is reported when it is stored.
    if read % JSONLines.Progress.step == 0 && read != lines.total { try report(progress) }
  }

  var progress: JSONLines.Progress { JSONLines.Progress(completed: read, of: lines.total) }

  /// True if everything that the header counts is committed.
  var isComplete: Bool {
    read == lines.total && result.inserted + result.replaced + result.skipped == read
  }

  func report(_ progress: (JSONLines.Progress) throws -> Void) throws {
    try progress(self.progress)
    try Task.checkCancellation()
  }

  // MARK: Writing

  /// Returns the objects of the next commit, or nil if there aren't enough.
  ///
  /// After the last line, the last batch has the rest. The objects that have waited in vain, or for
  /// each other, come at its end.
  mutating func nextBatch() -> [NumberedRow]? {
    var size = objectsPerCommit ?? .max
    if hasReadLastLine && ready.count - taken < size {
      ready += waiting.takeRest()
      size = ready.count - taken
    }
    guard size > 0, ready.count - taken >= size else { return nil }
    let batch = Array(ready[taken...].prefix(size))
    taken += batch.count
    // Thousands of objects may have waited for one. Moving the others up each time would take long.
    if taken >= ready.count / 2 {
      ready.removeFirst(taken)
      taken = 0
    }
    if objectsPerCommit != nil { for row in batch { readyNames.remove(row.row.objectID) } }
    return batch
  }

  /// Writes a batch into a draft, and returns the numbers of objects that were written or skipped.
  func write(_ batch: [NumberedRow], _ draft: borrowing Draft) throws -> JSONLines.Result {
    var result = JSONLines.Result()
    for (place, row) in batch.enumerated() {
      if place % Self.mostAhead == 0 {
        // On a server, a look-up is a round trip. What is found is held until more is read ahead,
        // so it isn't read at once for a batch that is a whole file.
        try draft.readAhead(batch[place...].prefix(Self.mostAhead).lazy.map(\.row))
      }
      let isThere =
        existing == .refuse
        ? false
        : try draft.withStorageReader { try $0.row(of: row.row.entity, id: row.row.id) != nil }
      if isThere && existing == .skip {
        result.skipped += 1
        continue
      }
      do {
        try draft.insert(row.row, replacing: existing == .replace)
      } catch let error as StoreError {
        throw JSONLinesError(row.line, .refused(error))
      }
      if isThere { result.replaced += 1 } else { result.inserted += 1 }
    }
    return result
  }

  /// Adds the result of a commit to the result of the import.
  mutating func count(_ done: JSONLines.Result) {
    result.inserted += done.inserted
    result.replaced += done.replaced
    result.skipped += done.skipped
  }

  /// Returns the error of a commit, with the line of the object that it is about.
  func error(_ error: any Error, of batch: [NumberedRow]) -> any Error {
    guard let broken = error as? StoreError, !broken.objects.isEmpty else { return error }
    let objects = Set(broken.objects)
    guard let row = batch.last(where: { objects.contains($0.row.objectID) }) else { return error }
    return JSONLinesError(row.line, .refused(broken))
  }
}

@_spi(Storage) @testable import EntityStore
import TestSupport
import Testing

/// Everything that one version of a store shows: every object, by every way to it.
struct VersionDump: Equatable, Sendable {
  let version: Int64
  private(set) var rows: [ObjectID: [StoredValue]] = [:]
  /// What each key of each entity finds, by the key's columns and values.
  private var found: [ObjectID: [[StoredValue]: Set<StoredValue>]] = [:]

  init(_ reader: any StorageReader, _ entities: Set<EntityDescription>) throws {
    version = reader.version
    for entity in entities {
      let objects = try reader.fetch(FetchPlan(QueryDescription(entity: entity))).map(\.row)
      expectEqual(try reader.count(entity, where: nil), objects.count)
      for row in objects {
        rows[row.objectID] = row.values
        expectEqual(try reader.row(of: entity, id: row.id)?.values, row.values)
        for key in entity.lookupKeys {
          let values = row.values(at: key)
          let name = ObjectID(
            entityName: entity.name, id: .list(key.map { .integer(Int64($0)) }))
          found[name, default: [:]][values] = Set(
            try reader.ids(of: entity, where: key, equal: values))
        }
      }
    }
  }
}

/// Everything that a store shows, with the names of what can be undone and done again.
struct StoreDump: Equatable {
  var version: VersionDump
  var names: [[String]]
}

extension Store {
  /// The store as it is.
  func dump() throws -> StoreDump {
    StoreDump(
      version: try withStorageReader { try VersionDump($0, entities) },
      names: [undoNames, redoNames])
  }

  /// The objects alone.
  func contents() throws -> [ObjectID: [StoredValue]] { try dump().version.rows }

  /// Expects that a commit throws, leaves everything as it was, and is told to nobody.
  ///
  /// - Returns: what it throws.
  @discardableResult
  func expectRefusal(
    _ expected: StoreError? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout Draft) throws -> Void
  ) throws -> StoreError? {
    try expectRefusal(expected, sourceLocation: sourceLocation) { try commit(body) }
  }

  /// Expects that what makes a commit throws, leaves everything as it was, and is told to nobody.
  @discardableResult
  func expectRefusal(
    _ expected: StoreError? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    of body: () throws -> Void
  ) throws -> StoreError? {
    let before = try dump()
    let commits = Recorder(commits)
    var refusal: StoreError?
    do {
      try body()
      recordIssue("It isn't refused.", sourceLocation: sourceLocation)
    } catch let error as StoreError {
      refusal = error
      if let expected { expectEqual(error, expected, sourceLocation: sourceLocation) }
      expectSentence("\(error)", sourceLocation: sourceLocation)
    }
    expectEqual(try dump(), before, "after the refusal", sourceLocation: sourceLocation)
    expectTrue(commits.values.isEmpty, "It is told.", sourceLocation: sourceLocation)
    return refusal
  }
}

/// Expects that a message is one for people: of some words, and no Swift.
func expectSentence(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let traces = ["Optional(", "StoredValue", "EntityStore.", "StoreError", ".integer(", ".text("]
  for trace in traces where text.contains(trace) {
    recordIssue("\"\(text)\" has \(trace)", sourceLocation: sourceLocation)
  }
  expectTrue(text.split(separator: " ").count >= 4, text, sourceLocation: sourceLocation)
}

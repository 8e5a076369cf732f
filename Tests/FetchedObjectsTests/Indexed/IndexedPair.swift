import EntityStore
import FetchedObjects
import ListDiffing
import Relays
import TestSupport
import Testing

/// What a section of a list of ids shows.
struct IDListHeader: Hashable, Sendable {
  let identity: StoredValue
  let title: String
}

/// What an index-only model shows, its ids read one path at a time.
func idList<E: Entity>(
  _ model: IndexedObjectsModel<E>
) throws -> [ListSection<IDListHeader, E.ID?>] {
  try model.sections.enumerated().map { section, info in
    ListSection(
      header: IDListHeader(identity: info.identity, title: info.name),
      rows: try (0..<info.count).map { try model.id(at: ListPath(section: section, row: $0)) })
  }
}

func idList<E: Entity>(
  _ snapshot: ListSnapshot<EntityView<E>>
) -> [ListSection<IDListHeader, E.ID?>] {
  snapshot.sections.map { section in
    ListSection(
      header: IDListHeader(identity: section.identity, title: section.name),
      rows: section.map { $0.id })
  }
}

/// A window to show.
enum IDWindow {
  case first(offset: Int, limit: Int?)
  case last(Int, offset: Int)

  static func random(using random: inout SeededGenerator) -> IDWindow {
    let offset = Int.random(in: 0...6, using: &random)
    let limit = Int.random(in: 0...8, using: &random)
    if random.chance(0.1) { return .first(offset: offset, limit: nil) }
    return random.chance(0.5)
      ? .first(offset: offset, limit: limit) : .last(limit, offset: offset)
  }
}

/// Follows a query with both kinds of model, which must tell the same and show the same.
struct IndexedPair<E: Entity> {
  let whole: FetchedObjectsModel<E>
  let indexed: IndexedObjectsModel<E>
  let wholeEvents: Recorder<ListEvent<EntityView<E>>>
  let events: Recorder<ListEvent<IndexedRow>>
  let store: Store
  private(set) var query: Query<E>

  init(
    _ query: Query<E>, in store: Store, policy: DeliveryPolicy? = nil, cacheCapacity: Int = 4
  ) throws {
    self.store = store
    self.query = query
    whole = try FetchedObjectsModel(query, in: store, policy: policy)
    indexed = try IndexedObjectsModel(
      query, in: store, policy: policy, cacheCapacity: cacheCapacity, batchSize: 2)
    wholeEvents = Recorder(whole.didChange)
    events = Recorder(indexed.didChange)
  }

  /// Shows another window in both models.
  mutating func setWindow(_ window: IDWindow) throws {
    switch window {
    case .first(let offset, let limit):
      try whole.setWindow(offset: offset, limit: limit)
      try indexed.setWindow(offset: offset, limit: limit)
    case .last(let count, let offset):
      try whole.setWindow(last: count, offset: offset)
      try indexed.setWindow(last: count, offset: offset)
    }
    query = indexed.query
  }

  /// Shows another query in both models.
  mutating func setQuery(_ query: Query<E>) throws {
    try whole.setQuery(query)
    try indexed.setQuery(query)
    self.query = query
  }

  /// Compares what is shown, and what has been told since `told` events.
  ///
  /// A window with objects may have read its rows at another version, and it doesn't follow commits
  /// far outside. So the versions of an event of several commits may differ.
  func check(told: Int, comparesVersions: Bool = true, _ trace: String) throws {
    let shown = try idList(indexed)
    #expect(shown == idList(whole.snapshot), "\(trace): what is shown")
    #expect(indexed.count == whole.snapshot.count, "\(trace): count")
    #expect(indexed.snapshot.rowsBefore == whole.snapshot.rowsBefore, "\(trace): before")
    #expect(indexed.snapshot.totalCount == whole.snapshot.totalCount, "\(trace): total")
    let fresh = try store.fetch(query).map(\.id)
    #expect(shown.flatMap { $0.rows } == fresh, "\(trace): fetch")
    let expected = wholeEvents.values.dropFirst(told)
    let found = events.values.dropFirst(told)
    #expect(found.map(\.changes) == expected.map(\.changes), "\(trace): changes")
    if comparesVersions {
      #expect(found.map(\.versions) == expected.map(\.versions), "\(trace): versions")
    }
    for (event, other) in zip(found, expected) {
      #expect(event.before.rowCounts == other.before.rowCounts, "\(trace): before")
      #expect(event.after.rowCounts == other.after.rowCounts, "\(trace): after")
      #expect(
        event.after.sections.map(\.name) == other.after.sections.map(\.name), "\(trace): titles")
      try event.changes.validate(old: event.before.rowCounts, new: event.after.rowCounts)
    }
    for (section, list) in shown.enumerated() {
      for (row, id) in list.rows.enumerated() {
        let path = try id.flatMap { try indexed.path(for: $0) }
        #expect(path == ListPath(section: section, row: row), "\(trace): path of \(id as Any)")
      }
    }
  }
}

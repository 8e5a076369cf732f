@_spi(Storage) internal import EntityStore

/// The queries and objects that a closure has read.
struct Reading: Sendable {
  struct Object: Hashable {
    let entity: EntityDescription
    let id: StoredValue
  }

  private(set) var queries: [ReadQuery.Key: ReadQuery] = [:]
  private(set) var objects: Set<Object> = []
  /// The numbers that were asked for, of queries that keep them.
  private(set) var counts: [ReadQuery.Key: Int] = [:]

  mutating func add(_ query: ReadQuery, count: Int? = nil) {
    queries[query.key] = query
    if let count, query.isKept { counts[query.key] = count }
  }

  mutating func add(_ object: Object) { objects.insert(object) }

  mutating func formUnion(_ other: Reading) {
    queries.merge(other.queries) { old, _ in old }
    objects.formUnion(other.objects)
  }

  var times: TimeConditions {
    TimeConditions(joining: queries.values.lazy.filter { $0.instant != nil }.map(\.times))
  }

  /// Returns true if the same queries and objects were read.
  func hasRead(asMuchAs other: Reading) -> Bool {
    objects == other.objects && queries.keys == other.queries.keys
  }

  /// Returns true if changes may lead to another answer.
  func isConcerned(by changes: NetChanges, reading reader: any StorageReader) throws -> Bool {
    if readsObject(of: changes) { return true }
    return try queries.values.contains { try $0.isConcerned(by: changes, reading: reader) }
  }

  /// Returns true if an object that was read by its id has changed.
  ///
  /// - Complexity: O(min(*k*, *r*)) on average, where *k* is the number of changed objects, and *r*
  ///   that of objects that were read.
  private func readsObject(of changes: NetChanges) -> Bool {
    if objects.isEmpty { return false }
    if objects.count < changes.tables.reduce(0, { $0 + $1.count }) {
      return objects.contains { changes[$0.entity]?[$0.id] != nil }
    }
    return changes.tables.contains { table in
      table.all.contains { objects.contains(Object(entity: table.entity, id: $0.id)) }
    }
  }

  func counts(
    after changes: NetChanges, reading reader: any StorageReader
  ) throws -> [ReadQuery.Key: Int] {
    var counts = counts
    for (key, count) in counts {
      guard let query = queries[key] else { continue }
      counts[key] = count + (try query.growth(by: changes, reading: reader))
    }
    return counts
  }
}

extension ObserverRegistration {
  /// Follows everything that may lead to another answer.
  ///
  /// While `isStale` is true, a commit couldn't be read. Then every commit to an entity that was
  /// read is followed, whatever the filters (F11).
  func follow(_ reading: Reading, isStale: Bool) {
    var entities: Set<EntityDescription> = []
    var predicates: [(entity: EntityDescription, watched: WatchedPredicate)] = []
    for query in reading.queries.values {
      entities.formUnion(query.entities)
      if let watched = query.watched { predicates.append((query.key.entity, watched)) }
      if isStale { entities.insert(query.key.entity) }
    }
    if isStale { entities.formUnion(reading.objects.map(\.entity)) }
    follow(entities)
    follow(predicates: predicates)
    follow(reading.objects.map { ($0.entity, $0.id) })
  }
}

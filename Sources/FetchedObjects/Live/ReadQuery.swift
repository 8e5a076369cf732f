@_spi(Storage) internal import EntityStore

/// A query that a reading has made, and what may change its answer.
final class ReadQuery: Sendable {
  /// The part of the objects that a closure reads.
  enum Kind {
    /// All attributes.
    case objects
    /// The values that the query's key names.
    case values
    /// The number of objects.
    case count
  }

  /// The parts of a query that decide about its answer.
  struct Key: Hashable {
    let entity: EntityDescription
    let filter: QueryExpression?
    /// The values that are read of each object besides its attributes.
    let values: [QueryExpression]
    let kind: Kind
  }

  let key: Key
  /// The predicate that finds the query if an object of its entity changes.
  ///
  /// It is nil if every change may concern the query.
  let watched: WatchedPredicate?
  /// The entities of which every change may concern the query.
  let entities: Set<EntityDescription>
  /// The conditions of time in the query.
  let times: TimeConditions
  /// The instant at which they are evaluated, if there are any.
  let instant: Double?
  private let filter: CompiledExpression?
  /// The dependencies of the filter and of the values on other objects.
  private let dependencies: [RelationshipDependency]
  /// True if the filter reads other objects.
  private let hasForeignFilter: Bool
  /// True if a change of any object may change the order.
  private let isRanked: Bool
  /// The attributes of the objects that are read; nil for all of them.
  private let columns: [Int]?

  init(_ key: Key, at instant: Double) {
    self.key = key
    times = TimeConditions(in: [key.filter].compactMap { $0 } + key.values)
    self.instant = times.isEmpty ? nil : instant
    filter = key.filter.map { CompiledExpression($0.pinned(at: instant), of: key.entity) }
    let filters = [key.filter].compactMap { $0 }
    hasForeignFilter = !RelationshipDependency.all(in: filters).isEmpty
    isRanked = key.values.contains(where: \.isRank)
    dependencies = RelationshipDependency.all(in: filters + key.values)
    columns =
      switch key.kind {
      case .objects: nil
      case .values: Array(Set(key.values.flatMap(\.ownColumns)))
      case .count: []
      }
    let foreign = Set(dependencies.flatMap { $0.steps.map(\.target) })
    watched =
      foreign.contains(key.entity) || isRanked ? nil : key.filter.flatMap(WatchedPredicate.init)
    entities = watched == nil ? foreign.union([key.entity]) : foreign
  }

  /// True if a count can be carried from commit to commit: each object decides alone.
  var isKept: Bool { key.kind == .count && !hasForeignFilter }

  /// Returns true if changes may lead to another answer.
  ///
  /// - Complexity: O(*k*), where *k* is the number of changed objects, and a search for those that
  ///   refer to them if the query reads other objects.
  func isConcerned(by changes: NetChanges, reading reader: any StorageReader) throws -> Bool {
    if let table = changes[key.entity] {
      // The filter of an object's last version would read other objects as they are now.
      if hasForeignFilter || isRanked { return true }
      for change in table.all {
        let (old, new) = try belong(change, reading: reader)
        if old != new || old && isRead(change) { return true }
      }
    }
    return try dependencies.contains { try $0.affectsAny(by: changes, reading: reader) }
  }

  /// Returns true if a change of an object that is updated may be one of what is read of it.
  private func isRead(_ change: ObjectChange) -> Bool {
    guard let columns, let old = change.old, let new = change.new else { return true }
    return columns.contains { !old.isEqual(to: new, at: $0) }
  }

  /// Returns how many more objects meet the filter after changes.
  ///
  /// - Precondition: `isKept`.
  func growth(by changes: NetChanges, reading reader: any StorageReader) throws -> Int {
    var growth = 0
    for change in changes[key.entity]?.all ?? [] {
      let (old, new) = try belong(change, reading: reader)
      growth += (new ? 1 : 0) - (old ? 1 : 0)
    }
    return growth
  }

  private func belong(
    _ change: ObjectChange, reading reader: any StorageReader
  ) throws -> (old: Bool, new: Bool) {
    func belongs(_ row: EntityRow?) throws -> Bool {
      guard let row else { return false }
      return try filter?.isTrueUnchecked(of: row, reading: reader) ?? true
    }
    return (try belongs(change.old), try belongs(change.new))
  }
}

@_spi(Storage) internal import EntityStore
internal import Locking

/// The plan for reading an observed object.
final class EntityPlan: Sendable {
  /// The values to read of one object on the included paths.
  private final class Node: Sendable {
    let entity: EntityDescription
    /// The values to read of the object: the position of each in a row, and its attribute.
    let reads: [(place: Int, path: AttributePath)]
    /// The references to follow from the object.
    let steps: [(column: Int, node: Node)]
    /// The attributes whose changes may be visible.
    let columns: [Int]

    init(_ entity: EntityDescription, after steps: [ReferenceStep], _ values: [AttributePath]) {
      self.entity = entity
      reads = values.enumerated().filter { $0.element.steps == steps }
        .map { (place: $0.offset, path: $0.element) }
      let further = values.filter {
        $0.steps.count > steps.count && $0.steps.starts(with: steps)
      }
      var next: [ReferenceStep] = []
      for path in further where !next.contains(path.steps[steps.count]) {
        next.append(path.steps[steps.count])
      }
      self.steps = next.map { ($0.column, Node($0.target, after: steps + [$0], values)) }
      columns = Array(Set(reads.map(\.path.column) + self.steps.map(\.column)))
    }
  }

  /// A related object of which some value is shown.
  struct Watched: Sendable, Equatable {
    let entity: EntityDescription
    let id: StoredValue
    /// The shown attributes.
    let columns: [Int]

    /// Returns true if `changes` affect the shown values.
    func isChanged(by changes: NetChanges) -> Bool {
      guard let change = changes[entity]?[id] else { return false }
      guard let old = change.old, let new = change.new else { return true }
      return columns.contains { !old.isEqual(to: new, at: $0) }
    }
  }

  let entity: EntityDescription
  private let query: QueryDescription
  /// The table that has the plan by its query, until there is no plan any more.
  private weak let plans: WeakTable<QueryDescription, EntityPlan>?
  /// The values that are included with the object, for its view.
  let included: InclusionTree
  private let root: Node
  /// The number of values on paths; the computed ones come after them.
  private let pathCount: Int
  private let computed: [CompiledExpression]
  /// The dependencies of the computed values.
  private let dependencies: [RelationshipDependency]
  /// The objects that the last commit may affect.
  private let affected = Locked<Affected?>(nil)

  /// The objects that a commit may affect by other objects.
  private struct Affected: Sendable {
    let attempt: Int
    /// The ids of those that have been looked up.
    var ids: Set<StoredValue> = []
    /// The ids to which their references lead, by column, for those that haven't been looked up.
    var targets: [Int: Set<StoredValue>] = [:]

    func contain(_ row: EntityRow) -> Bool {
      ids.contains(row.id) || targets.contains { $0.value.contains(row.value(at: $0.key)) }
    }
  }

  /// Returns the plan for objects of a query's entity with the values that the query includes.
  ///
  /// Thousands of observed objects of a store can share one plan.
  static func of(_ query: QueryDescription, in store: Store) -> EntityPlan {
    let plans = store.companion(WeakTable<QueryDescription, EntityPlan>.self) { WeakTable() }
    return plans.object(query) { EntityPlan(query, among: plans) }
  }

  deinit { plans?.forget(query) }

  private init(_ query: QueryDescription, among plans: WeakTable<QueryDescription, EntityPlan>) {
    self.query = query
    self.plans = plans
    mustHold(
      !query.isTimed,
      "An observed object can't include a value that changes with time; use a FetchedObjectsModel")
    let entity = query.entity
    var values: [AttributePath] = []
    var places: [QueryExpression: Int] = [:]
    // The computed values come last.
    for value in query.includedValues where places[value] == nil {
      places[value] = places.count
      if case .attribute(let path) = value { values.append(path) }
    }
    self.entity = entity
    included = InclusionTree(
      entity, query.included.filter { !$0.steps.isEmpty }, query.includedComputed,
      place: { places[$0] })
    root = Node(entity, after: [], values)
    pathCount = values.count
    computed = query.includedComputed.map { CompiledExpression($0, of: entity) }
    dependencies = RelationshipDependency.all(in: query.includedComputed)
  }

  /// True if only the object itself is shown.
  var includesNothing: Bool { pathCount == 0 && computed.isEmpty }

  /// The entities of which objects make a computed value.
  var computedEntities: Set<EntityDescription> {
    Set(dependencies.flatMap { $0.steps.map(\.target) })
  }

  /// Returns true if a commit may affect a computed value of an object by other objects.
  ///
  /// The object itself hasn't changed. What the commit may affect is found once for all objects
  /// that are observed by this plan. If they refer to what has changed, they aren't looked up.
  func mayBeAffected(
    _ row: EntityRow, by commit: Commit, reading reader: any StorageReader
  ) throws -> Bool {
    if dependencies.isEmpty { return false }
    if let known = affected.withLock({ $0 }), known.attempt == commit.attempt {
      return known.contain(row)
    }
    var found = Affected(attempt: commit.attempt)
    for dependency in dependencies {
      if let reference = dependency.ownReference(in: commit.changes) {
        found.targets[reference.step.column, default: []].formUnion(reference.targets)
      } else {
        found.ids.formUnion(
          try dependency.startIDs(changedBy: commit.changes, reading: reader))
      }
    }
    affected.withLock { [found] in $0 = found }
    return found.contain(row)
  }

  /// The entities of which values are read.
  var entities: Set<EntityDescription> {
    var entities: Set<EntityDescription> = []
    func collect(_ node: Node) {
      entities.insert(node.entity)
      for step in node.steps { collect(step.node) }
    }
    collect(root)
    return entities.union(computedEntities)
  }

  /// Returns the object's row with the included values, and the related objects from which they
  /// were read.
  ///
  /// Each related object is read once, even if several paths lead over it.
  func read(
    _ row: EntityRow, reading reader: any StorageReader
  ) throws -> (row: ResultRow, watched: [Watched]) {
    var watched: [Watched] = []
    if includesNothing { return (ResultRow(row: row, values: nil), watched) }
    var values = [StoredValue](repeating: .null, count: pathCount)
    try follow(row, root, reader, &values, &watched)
    for value in computed { values.append(try value.uncheckedValue(of: row, reading: reader)) }
    return (ResultRow(row: row, values: RowValues(values)), watched)
  }

  private func follow(
    _ row: EntityRow, _ node: Node, _ reader: any StorageReader, _ values: inout [StoredValue],
    _ watched: inout [Watched]
  ) throws {
    for (column, next) in node.steps {
      let id = row.value(at: column)
      if id.isNull { continue }
      // The object is watched even while it is missing, because a late-bound reference waits for
      // it.
      watched.append(Watched(entity: next.entity, id: id, columns: next.columns))
      guard let object = try reader.row(of: next.entity, id: id) else { continue }
      for (place, path) in next.reads { values[place] = object.value(at: path) }
      try follow(object, next, reader, &values, &watched)
    }
  }
}

extension EntityRow {
  /// Returns the value of the attribute at the end of a path, or the part of it that the path
  /// names.
  fileprivate func value(at path: AttributePath) -> StoredValue {
    let value = value(at: path.column)
    guard let part = path.part else { return value }
    guard case .list(let parts) = value else { return .null }
    return parts[part]
  }
}

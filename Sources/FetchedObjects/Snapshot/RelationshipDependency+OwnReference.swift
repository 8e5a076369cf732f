@_spi(Storage) internal import EntityStore

extension RelationshipDependency {
  /// Returns the reference that is the first step of the path, and the ids of the objects to which
  /// it leads where changes affect the start.
  ///
  /// It returns nil if the path begins with another step, or if objects would have to be looked up
  /// to find these ids.
  func ownReference(
    in changes: NetChanges
  ) -> (step: ReferenceStep, targets: Set<StoredValue>)? {
    guard case .one(let step)? = steps.first else { return nil }
    var targets: Set<StoredValue> = []
    for level in steps.indices {
      let read = changes[steps[level].target]?.all.filter { isRead($0, at: level) } ?? []
      if read.isEmpty { continue }
      switch steps[level] {
      case .one:
        if level > 0 { return nil }
        targets.formUnion(read.map(\.id))
      case .many(_, let column):
        // The owners of these objects are the objects to which the reference leads.
        if level > 1 { return nil }
        for row in read.flatMap({ [$0.old, $0.new] }) {
          if let owner = row?.value(at: column), !owner.isNull { targets.insert(owner) }
        }
      }
    }
    return (step, targets)
  }

  /// Returns true if each change that is read through another dependency is also read through this
  /// one.
  func covers(_ other: RelationshipDependency) -> Bool {
    guard steps == other.steps, let end = steps.last?.target else { return false }
    // An object keeps its id.
    return other.columns.subtracting([end.identity]).isSubset(of: columns)
  }

  /// Returns true if changes affect an object at the start of the path.
  ///
  /// - Complexity: a search for one object that refers to each of the changed ones, if the changes
  ///   name the objects to which the first reference leads. Otherwise all objects that they affect
  ///   are looked up.
  func affectsAny(by changes: NetChanges, reading reader: any StorageReader) throws -> Bool {
    guard let (step, targets) = ownReference(in: changes) else {
      return try !startIDs(changedBy: changes, reading: reader).isEmpty
    }
    for id in targets {
      let condition = QueryExpression.comparison(
        .equal, .column(step.column, of: step.source), .constant(id))
      let plan = FetchPlan(of: step.source, where: condition, limit: 1)
      do {
        if try !reader.rows(plan.unordered).isEmpty { return true }
      } catch let error as StoreError where error.isOfOneRow {
        // There is an object, even if it can't be read.
        return true
      }
    }
    return false
  }
}

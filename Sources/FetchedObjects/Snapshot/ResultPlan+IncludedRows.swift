@_spi(Storage) internal import EntityStore

extension ResultPlan {
  /// The greatest number of kept rows whose references are compared with the changed objects.
  ///
  /// If more are kept, the objects that refer to the changed ones are looked up. The cost of a
  /// commit doesn't depend on the number of kept rows then.
  private static let mostCompared = 2048

  /// Returns the kept rows whose included values may change with other objects.
  ///
  /// It leaves out the rows of objects for which `isKnown` returns true.
  ///
  /// - Complexity: If the row itself refers to the objects, and *m* rows are kept, O(*m*)
  ///   comparisons, as long as *m* is 2,048 or less. Otherwise one look-up for each object whose
  ///   included values may have changed.
  func findRows(
    withIncludedValuesChangedBy changes: NetChanges, among kept: ResultSnapshot,
    unless isKnown: (StoredValue) -> Bool, reading reader: any StorageReader
  ) throws -> [(slot: Int, row: ResultRow)] {
    var ids: Set<StoredValue> = []
    for read in includedReads {
      if kept.count <= Self.mostCompared, let reference = read.ownReference(in: changes) {
        if reference.changed.isEmpty { continue }
        kept.forEach { row in
          let target = row.row.value(at: reference.column)
          if reference.changed.contains(target) { ids.insert(row.id) }
        }
      } else {
        ids.formUnion(try read.startIDs(changedBy: changes, reading: reader))
      }
    }
    var found: [(slot: Int, row: ResultRow)] = []
    for id in ids where !isKnown(id) {
      if let slot = kept.table.slot(of: id), let row = kept.table[slot] {
        found.append((slot, row))
      }
    }
    return found
  }
}

extension RelationshipDependency {
  /// Returns the reference that is the only step of the path, and the ids of the changed objects
  /// that matter at its end; nil if the path is another one.
  fileprivate func ownReference(
    in changes: NetChanges
  ) -> (column: Int, changed: Set<StoredValue>)? {
    guard steps.count == 1, case .one(let step) = steps[0] else { return nil }
    var changed: Set<StoredValue> = []
    for change in changes[step.target]?.all ?? [] where isRead(change, at: 0) {
      changed.insert(change.id)
    }
    return (step.column, changed)
  }
}

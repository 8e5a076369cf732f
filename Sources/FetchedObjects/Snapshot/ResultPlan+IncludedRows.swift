@_spi(Storage) internal import EntityStore

extension ResultPlan {
  /// The greatest number of kept rows whose references are compared with the changed objects.
  ///
  /// If more are kept, the objects that refer to the changed ones are looked up. The cost of a
  /// commit doesn't depend on the number of kept rows then.
  private static let mostCompared = 2048

  /// Returns the rows of a result if they are few enough to be compared with changed objects.
  static func comparable(_ kept: ResultSnapshot?) -> ResultSnapshot? {
    kept.flatMap { $0.count <= mostCompared ? $0 : nil }
  }

  /// Returns the changes of the kept rows whose included values change with other objects.
  ///
  /// It leaves out the rows of objects for which `isKnown` returns true.
  ///
  /// - Complexity: the same as that of ``findRows(among:affectedBy:through:unless:reading:)``. The
  ///   rows that may change are then read.
  func includedChanges(
    by changes: NetChanges, among kept: ResultSnapshot, unless isKnown: (StoredValue) -> Bool,
    reading reader: any StorageReader
  ) throws -> [ResultChange] {
    let found = try findRows(
      among: kept, affectedBy: changes, through: includedReads, unless: isKnown, reading: reader)
    let rows = try resultRows(found.map(\.row.row), reading: reader)
    return zip(found, rows).compactMap { old, new in
      ResultChange(of: old.row.id, slot: old.slot, old: old.row, new: new)
    }
  }

  /// Returns the kept rows that changes of other objects may affect through some dependencies.
  ///
  /// It leaves out the rows of objects for which `isKnown` returns true.
  ///
  /// - Complexity: If the changes name the objects to which the row itself refers, and *m* rows are
  ///   kept, O(*m*) comparisons, as long as *m* is 2,048 or less. Otherwise one look-up for each
  ///   object that the changes affect.
  func findRows(
    among kept: ResultSnapshot, affectedBy changes: NetChanges,
    through reads: [RelationshipDependency], unless isKnown: (StoredValue) -> Bool,
    reading reader: any StorageReader
  ) throws -> [(slot: Int, row: ResultRow)] {
    var ids: Set<StoredValue> = []
    for read in reads {
      if kept.count <= Self.mostCompared, let reference = read.ownReference(in: changes) {
        if reference.targets.isEmpty { continue }
        kept.forEach { row in
          let target = row.row.value(at: reference.step.column)
          if reference.targets.contains(target) { ids.insert(row.id) }
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

extension QueryDescription {
  /// The values that come with each row besides the object's own.
  ///
  /// These are the values on the included paths, and the id of each object on the way. The id shows
  /// whether the object exists. The computed values come last.
  var includedValues: [QueryExpression] {
    var values: [QueryExpression] = []
    for path in included where !path.steps.isEmpty {
      for end in path.steps.indices {
        let steps = Array(path.steps[...end])
        values.append(
          .attribute(
            AttributePath(root: entity, steps: steps, column: path.steps[end].target.identity)))
      }
      values.append(.attribute(path))
    }
    return values + includedComputed
  }
}

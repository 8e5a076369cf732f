internal import EntityStore

extension FetchedObjectsSnapshot {
  /// All objects that are shown, in order.
  ///
  /// - Complexity: O(*n*) where *n* is the number of objects.
  @inlinable public var objects: [E] {
    var objects: [E] = []
    objects.reserveCapacity(count)
    // Compiled for the entity's type where it is called; the way to the rows knows no type.
    forEachObject { objects.append($0.assumingMemoryBound(to: E.self).pointee) }
    return objects
  }

  /// Calls `body` with the place of each object, an `E`, which is good while `body` runs.
  @usableFromInline func forEachObject(_ body: (UnsafeRawPointer) -> Void) {
    // All rows of a result are of its query's entity, so one look tells for all.
    precondition(
      result.plan.query.entity == E.schema.entity,
      "A snapshot of \(result.plan.query.entity.name) is read as \(E.entityName)")
    result.forEachObject(body)
  }
}

extension ResultView {
  /// Calls `body` with the place of each object that is shown, in order.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows that are shown.
  fileprivate func forEachObject(_ body: (UnsafeRawPointer) -> Void) {
    let rows = base.table.rows
    withExtendedLifetime(base) {
      for section in 0..<sectionCount where count > 0 {
        tree(ofSection: section).forEach(in: self.rows(ofSection: section)) { entry in
          guard let object = rows.object(Int(entry.slot)) else {
            preconditionFailure("A result's tree names a row that its table doesn't have")
          }
          body(object)
        }
      }
    }
  }
}

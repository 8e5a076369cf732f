/// The conditions of time in a query, and what follows from them as time passes.
package struct TimeConditions: Sendable {
  private let conditions: [TimeCondition]

  package init(in expressions: [QueryExpression]) {
    var found: Set<TimeCondition> = []
    for expression in expressions {
      expression.forEachPart { part, way in
        guard case .moment(let comparison, let path, let moment) = part else { return }
        found.insert(TimeCondition(comparison, path, moment, through: way))
      }
    }
    conditions = Array(found)
  }

  /// Joins the conditions of several queries, which are seen from objects of different entities.
  package init(joining all: some Sequence<TimeConditions>) {
    conditions = Array(Set(all.flatMap(\.conditions)))
  }

  package var isEmpty: Bool { conditions.isEmpty }

  /// Returns the time of an evaluation at an instant.
  ///
  /// - Throws: the reader's error.
  /// - Complexity: O(log *n*) for each condition with an index on its attribute, and otherwise
  ///   O(*n*), where *n* is the number of objects of the entity that has the attribute.
  package func pinned(
    at instant: Double, reading reader: any StorageReader
  ) throws -> PinnedTime {
    var next = Double.infinity
    for condition in conditions {
      guard let value = try condition.leastValue(after: instant, reading: reader) else { continue }
      next = Swift.min(next, condition.boundary(of: value))
    }
    return PinnedTime(instant: instant, next: next)
  }

  /// Returns the time at which the objects are evaluated after changes.
  ///
  /// It stays at the earlier instant unless a condition has changed since. So conditions are
  /// prepared again only at a boundary. `now` may also be before the earlier instant. The reader is
  /// of the version after the changes.
  ///
  /// - Returns: the time to evaluate at, and the next boundary.
  /// - Throws: the reader's error.
  /// - Complexity: O(*k*) for *k* changed objects. At a boundary, and if the object of the next
  ///   boundary has changed, the next one is searched for.
  package func advanced(
    _ time: PinnedTime, to now: Double, by changes: NetChanges, reading reader: any StorageReader
  ) throws -> PinnedTime {
    var isPassed = now >= time.next || now < time.instant
    var mustSearch = isPassed
    var next = time.next
    for condition in conditions {
      guard let table = changes[condition.entity] else { continue }
      for change in table.all {
        let old = condition.value(of: change.old)
        let new = condition.value(of: change.new)
        // The next boundary may be that of this object alone.
        if let old, old != new, condition.boundary(of: old) == time.next { mustSearch = true }
        // The date may be an old one, of an object that didn't concern the query before.
        guard let new else { continue }
        if condition.hasPassed(new, at: now) {
          if !condition.hasPassed(new, at: time.instant) { isPassed = true }
        } else {
          next = Swift.min(next, condition.boundary(of: new))
        }
      }
    }
    let instant = isPassed ? now : time.instant
    if mustSearch {
      next = try pinned(at: now, reading: reader).next
    }
    return PinnedTime(instant: instant, next: next)
  }

  /// Returns the ids of the query's objects for which a condition may change between two instants.
  ///
  /// - Throws: the reader's error.
  /// - Complexity: the same as that of a fetch of the objects, with an index on the attribute or
  ///   without.
  package func startIDs(
    changingFrom start: Double, to end: Double, reading reader: any StorageReader
  ) throws -> Set<StoredValue> {
    var ids: Set<StoredValue> = []
    if start == end { return ids }
    for condition in conditions {
      ids.formUnion(try condition.startIDs(changingFrom: start, to: end, reading: reader))
    }
    return ids
  }
}

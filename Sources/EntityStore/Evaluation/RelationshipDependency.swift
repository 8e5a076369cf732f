/// A dependency of a query on other objects: a path to them, and the attribute read at its end.
///
/// A change of the attribute, or of a reference on the path, affects the objects at the start of
/// the path.
package struct RelationshipDependency: Hashable, Sendable {
  /// A step to the object that is referred to, or to the objects that refer.
  package enum Step: Hashable, Sendable {
    case one(ReferenceStep)
    case many(entity: EntityDescription, column: Int)

    /// The entity that the step leads to.
    package var target: EntityDescription {
      switch self {
      case .one(let step): step.target
      case .many(let entity, _): entity
      }
    }
  }

  package let steps: [Step]
  /// The attribute that is read, or nil if only the object's existence matters.
  package let column: Int?

  /// Returns everything that `expression` reads of other objects.
  package static func all(in expression: QueryExpression) -> Set<RelationshipDependency> {
    var reads: Set<RelationshipDependency> = []
    collect(expression, after: [], into: &reads)
    return reads
  }

  private static func collect(
    _ expression: QueryExpression, after steps: [Step],
    into reads: inout Set<RelationshipDependency>
  ) {
    switch expression {
    case .attribute(let path), .moment(_, let path, _):
      let way = steps + path.steps.map(Step.one)
      if !way.isEmpty { reads.insert(RelationshipDependency(steps: way, column: path.column)) }
    case .constant, .rank: break
    case .matches(let path, _):
      for column in path.columns {
        let attribute = AttributePath(root: path.root, steps: path.steps, column: column)
        collect(.attribute(attribute), after: steps, into: &reads)
      }
    case .comparison(_, let a, let b), .text(_, let a, let b, _):
      collect(a, after: steps, into: &reads)
      collect(b, after: steps, into: &reads)
    case .isIn(let value, _): collect(value, after: steps, into: &reads)
    case .and(let parts), .or(let parts), .computed(_, let parts):
      for part in parts { collect(part, after: steps, into: &reads) }
    case .not(let part): collect(part, after: steps, into: &reads)
    case .count(let path, let condition):
      let way =
        steps + path.steps.map(Step.one) + [.many(entity: path.target, column: path.column)]
      reads.insert(RelationshipDependency(steps: way, column: nil))
      if let condition { collect(condition, after: way, into: &reads) }
    case .related(let aggregate, let path, let value, let condition):
      let way = steps + path.steps.map(Step.one)
      collect(.count(path, where: condition), after: steps, into: &reads)
      let end = way + [.many(entity: path.target, column: path.column)]
      collect(value, after: end, into: &reads)
      if case .list(let order) = aggregate {
        for key in order { collect(key.expression, after: end, into: &reads) }
      }
    }
  }
}

extension RelationshipDependency {
  /// Returns the ids of the objects at the start of the path that `changes` affect through it.
  ///
  /// It checks every level: a change at the end, and a change of any reference on the path. A row
  /// whose own reference changed is among the changes itself. So one search back after the commit
  /// finds all other objects. If a referring object has left its owner, its old value leads to that
  /// owner.
  package func concerned(by changes: NetChanges, reading reader: any StorageReader) throws
    -> Set<StoredValue>
  {
    var ids: Set<StoredValue> = []
    for level in steps.indices {
      guard let table = changes[steps[level].target] else { continue }
      let read = table.all.filter { isRead($0, at: level) }
      if read.isEmpty { continue }
      ids.formUnion(try walkBack(from: read, at: level, reading: reader))
    }
    return ids
  }

  /// Returns the ids of the objects at the start of the path from which these rows are reached.
  func starts(of rows: [EntityRow], reading reader: any StorageReader) throws -> Set<StoredValue> {
    if steps.isEmpty { return Set(rows.map(\.id)) }
    return try walkBack(
      from: rows.map { ObjectChange(id: $0.id, old: $0, new: $0) }, at: steps.count - 1,
      reading: reader)
  }

  /// Returns true if a change of an object at a level can be seen from the start.
  private func isRead(_ change: ObjectChange, at level: Int) -> Bool {
    guard let old = change.old, let new = change.new else { return true }
    if case .many(_, let column) = steps[level], old.value(at: column) != new.value(at: column) {
      return true
    }
    if level + 1 < steps.count {
      guard case .one(let step) = steps[level + 1] else { return false }
      return old.value(at: step.column) != new.value(at: step.column)
    }
    guard let column else { return false }
    return old.value(at: column) != new.value(at: column)
  }

  /// Returns the ids of the objects at the start from which one of `changes`, at a level, can be
  /// reached.
  ///
  /// The search goes back one level at a time. So an object is looked up once, however many changes
  /// lead to it.
  private func walkBack(
    from changes: [ObjectChange], at level: Int, reading reader: any StorageReader
  ) throws -> Set<StoredValue> {
    var owners: Set<StoredValue> = []
    switch steps[level] {
    case .one(let step):
      for change in changes {
        owners.formUnion(
          try reader.ids(of: step.source, where: [step.column], equal: [change.id]))
      }
    case .many(_, let column):
      for row in changes.flatMap({ [$0.old, $0.new] }) {
        if let owner = row?.value(at: column), !owner.isNull { owners.insert(owner) }
      }
    }
    for earlier in steps[..<level].reversed() {
      var next: Set<StoredValue> = []
      for id in owners {
        switch earlier {
        case .one(let step):
          next.formUnion(try reader.ids(of: step.source, where: [step.column], equal: [id]))
        case .many(let entity, let column):
          if let owner = try reader.row(of: entity, id: id)?.value(at: column), !owner.isNull {
            next.insert(owner)
          }
        }
      }
      owners = next
    }
    return owners
  }
}

/// A dependency of a query on other objects: a path to them, and the attributes read at its end.
///
/// A change of one of the attributes, or of a reference on the path, affects the objects at the
/// start of the path.
package struct RelationshipDependency: Hashable, Sendable {
  /// A step to the object that is referred to, or to the objects that refer.
  package enum Step: Hashable, Sendable {
    case one(ReferenceStep)
    case many(entity: EntityDescription, column: Int)

    package var target: EntityDescription {
      switch self {
      case .one(let step): step.target
      case .many(let entity, _): entity
      }
    }
  }

  package let steps: [Step]
  /// The attributes that are read; none if only the object's existence matters.
  package let columns: Set<Int>

  /// Creates the dependency at the end of some paths and then some steps.
  init(through paths: [ManyPath], _ steps: [ReferenceStep] = [], columns: Set<Int>) {
    self.init(Self.steps(through: paths, steps), columns)
  }

  private init(_ steps: [Step], _ columns: Set<Int>) {
    self.steps = steps
    self.columns = columns
  }

  private static func steps(through paths: [ManyPath], _ steps: [ReferenceStep]) -> [Step] {
    let all = paths.flatMap { path -> [Step] in
      path.steps.map(Step.one) + [.many(entity: path.target, column: path.column)]
    }
    return all + steps.map(Step.one)
  }

  /// Returns everything that some expressions read of other objects, each path once.
  package static func all(in expressions: some Sequence<QueryExpression>) -> [Self] {
    var reads: [[Step]: Set<Int>] = [:]
    func add(_ way: [ManyPath], _ steps: [ReferenceStep], _ columns: [Int]) {
      // The object's own attributes don't depend on other objects.
      if way.isEmpty && steps.isEmpty { return }
      reads[Self.steps(through: way, steps), default: []].formUnion(columns)
    }
    for expression in expressions {
      for (read, way) in expression.reads {
        switch read {
        case .attributes(let columns, let steps): add(way, steps, columns)
        case .referrers(let path, _): add(way + [path], [], [])
        }
      }
    }
    return reads.map { RelationshipDependency($0, $1) }
  }
}

extension RelationshipDependency {
  /// Returns the ids of the objects at the start of the path that `changes` affect through it.
  ///
  /// It checks every level: a change at the end, and a change of any reference on the path. A row
  /// whose own reference changed is itself among `changes`. All others are found by walking back
  /// from the new state, and, if a referring object has changed its owner, also from the old owner.
  package func startIDs(
    changedBy changes: NetChanges, reading reader: any StorageReader
  ) throws -> Set<StoredValue> {
    var ids: Set<StoredValue> = []
    for level in steps.indices {
      guard let table = changes[steps[level].target] else { continue }
      let read = table.all.filter { isRead($0, at: level) }
      if read.isEmpty { continue }
      ids.add(try walkBack(from: read, at: level, reading: reader))
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
  package func isRead(_ change: ObjectChange, at level: Int) -> Bool {
    guard let old = change.old, let new = change.new else { return true }
    if case .many(_, let column) = steps[level], old.value(at: column) != new.value(at: column) {
      return true
    }
    if level + 1 < steps.count {
      guard case .one(let step) = steps[level + 1] else { return false }
      return old.value(at: step.column) != new.value(at: step.column)
    }
    return columns.contains { old.value(at: $0) != new.value(at: $0) }
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
    case .one: owners = try previous(steps[level], Set(changes.map(\.id)), reading: reader)
    case .many(_, let column):
      for row in changes.flatMap({ [$0.old, $0.new] }) {
        if let owner = row?.value(at: column), !owner.isNull { owners.insert(owner) }
      }
    }
    for earlier in steps[..<level].reversed() {
      owners = try previous(earlier, owners, reading: reader)
    }
    return owners
  }

  /// Returns the ids of the objects from which a step leads to some objects.
  private func previous(
    _ step: Step, _ ids: Set<StoredValue>, reading reader: any StorageReader
  ) throws -> Set<StoredValue> {
    var previous: Set<StoredValue> = []
    func add(_ id: StoredValue) throws {
      switch step {
      case .one(let step):
        let found = try reader.ids(of: step.source, where: [step.column], equal: [id])
        previous.reserveCapacity(previous.count + found.count)
        previous.formUnion(found)
      case .many(let entity, let column):
        if let owner = try reader.row(of: entity, id: id)?.value(at: column), !owner.isNull {
          previous.insert(owner)
        }
      }
    }
    guard reader.readsAhead, let memo = reader as? SharedReader else {
      for id in ids { try add(id) }
      return previous
    }
    for part in SharedReader.parts(of: Array(ids)) {
      memo.makeRoom()
      switch step {
      case .one(let step):
        try memo.readAhead(step.source, referringBy: step.column, to: Set(part))
      case .many(let entity, _): try memo.readAhead(Set(part), of: entity)
      }
      for id in part { try add(id) }
    }
    return previous
  }
}

extension Set<StoredValue> {
  /// Inserts the elements of another set, which becomes this one if this one is empty.
  package mutating func add(_ others: Set) {
    if isEmpty { self = others } else { formUnion(others) }
  }
}

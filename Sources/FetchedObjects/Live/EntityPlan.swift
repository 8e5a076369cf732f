internal import EntityStore
internal import Locking

/// What is read for an observed object, worked out once for all of a store that include the same.
final class EntityPlan: Sendable {
  /// What is read of one object on the included paths.
  private final class Node: Sendable {
    let entity: EntityDescription
    /// For each value that is read of the object, its position in a row and its attribute.
    let reads: [(place: Int, path: AttributePath)]
    /// The references that lead on.
    let steps: [(column: Int, node: Node)]
    /// The attributes whose change may be seen.
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

  /// A related object that something is shown of.
  struct Watched: Sendable {
    let entity: EntityDescription
    let id: StoredValue
    /// The attributes shown.
    let columns: [Int]

    /// Whether `changes` concern what is shown.
    func isChanged(by changes: NetChanges) -> Bool {
      guard let change = changes[entity]?[id] else { return false }
      guard let old = change.old, let new = change.new else { return true }
      return columns.contains { !old.isEqual(to: new, at: $0) }
    }
  }

  let entity: EntityDescription
  /// What comes with the object, for its view.
  let included: InclusionTree
  private let root: Node
  private let valueCount: Int

  init(_ entity: EntityDescription, including paths: [AttributePath]) {
    let paths = paths.filter { !$0.steps.isEmpty }
    var values: [AttributePath] = []
    var places: [AttributePath: Int] = [:]
    func declare(_ path: AttributePath) {
      guard places[path] == nil else { return }
      places[path] = values.count
      values.append(path)
    }
    for path in paths {
      // Whether an object on the way is there is known by its id.
      for end in path.steps.indices {
        let target = path.steps[end].target
        declare(
          AttributePath(
            root: entity, steps: Array(path.steps[...end]), column: target.identity))
      }
      declare(path)
    }
    self.entity = entity
    included = InclusionTree(entity, paths) { places[$0] }
    root = Node(entity, after: [], values)
    valueCount = values.count
  }

  /// Whether nothing but the object itself is shown.
  var includesNothing: Bool { valueCount == 0 }

  /// The entities of which anything is read.
  var entities: Set<EntityDescription> {
    var entities: Set<EntityDescription> = []
    func collect(_ node: Node) {
      entities.insert(node.entity)
      for step in node.steps { collect(step.node) }
    }
    collect(root)
    return entities
  }

  /// The object's row with the included values, and the related objects that they were read of.
  ///
  /// Each related object is read once, whichever paths lead over it.
  func read(
    _ row: EntityRow, reading reader: any StorageReader
  ) throws -> (row: ResultRow, watched: [Watched]) {
    var watched: [Watched] = []
    if includesNothing { return (ResultRow(row: row, values: nil), watched) }
    var values = [StoredValue](repeating: .null, count: valueCount)
    try follow(row, root, reader, &values, &watched)
    return (ResultRow(row: row, values: RowValues(values)), watched)
  }

  private func follow(
    _ row: EntityRow, _ node: Node, _ reader: any StorageReader, _ values: inout [StoredValue],
    _ watched: inout [Watched]
  ) throws {
    for (column, next) in node.steps {
      let id = row.value(at: column)
      if id.isNull { continue }
      // Watched also while it is missing: a late-bound reference waits for it.
      watched.append(Watched(entity: next.entity, id: id, columns: next.columns))
      guard let object = try reader.row(of: next.entity, id: id) else { continue }
      for (place, path) in next.reads { values[place] = object.value(at: path) }
      try follow(object, next, reader, &values, &watched)
    }
  }
}

extension EntityRow {
  /// The attribute at the end of a path, or the part of it that is meant.
  fileprivate func value(at path: AttributePath) -> StoredValue {
    let value = value(at: path.column)
    guard let part = path.part else { return value }
    guard case .list(let parts) = value else { return .null }
    return parts[part]
  }
}

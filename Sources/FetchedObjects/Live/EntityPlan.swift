@_spi(Storage) internal import EntityStore
internal import Locking

/// The plan for reading an observed object.
///
/// All observed objects of a store that include the same values share it.
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
  struct Watched: Sendable {
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
  /// The values that are included with the object, for its view.
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
      // The id of each object on a path shows if the object exists.
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

  /// True if only the object itself is shown.
  var includesNothing: Bool { valueCount == 0 }

  /// The entities of which values are read.
  var entities: Set<EntityDescription> {
    var entities: Set<EntityDescription> = []
    func collect(_ node: Node) {
      entities.insert(node.entity)
      for step in node.steps { collect(step.node) }
    }
    collect(root)
    return entities
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

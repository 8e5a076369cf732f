@_spi(Storage) internal import EntityStore

/// The attributes that a query includes of an object and of the objects that it refers to.
final class InclusionTree: Sendable {
  /// The path to this node, for messages: `Car.owner`.
  let name: String
  let isRoot: Bool
  /// For each included column, the position of its value in a row.
  let places: [Int: Int]
  /// For each included reference, the tree of the attributes that are included of its object.
  let steps: [Int: InclusionTree]
  /// The values that are made of several objects and can be read from this one, and their places.
  let related: [QueryExpression: Int]
  /// The entity at the root, and the steps from there to this node.
  let way: (root: EntityDescription, steps: [ReferenceStep])
  /// The included values by name at the root, for example `owner.name`, with their places.
  ///
  /// They are in the order of their names.
  let namedValues: [(name: String, place: Int)]

  /// Creates the tree of some paths and of values that are made of several objects.
  ///
  /// `place` returns the position of a value in a row.
  init(
    _ entity: EntityDescription, _ paths: [AttributePath], _ related: [QueryExpression],
    place: (QueryExpression) -> Int?, after steps: [ReferenceStep] = [], name: String? = nil
  ) {
    let name = name ?? entity.name
    var places: [Int: Int] = [:]
    var further: [Int: InclusionTree] = [:]
    for path in paths where path.steps.starts(with: steps) {
      if path.steps.count == steps.count {
        places[path.column] = place(.attribute(path))
        continue
      }
      let step = path.steps[steps.count]
      if further[step.column] == nil {
        further[step.column] = InclusionTree(
          step.target, paths, related, place: place, after: steps + [step],
          name: "\(name).\(step.source.columns[step.column].name)")
      }
    }
    if !steps.isEmpty, let root = paths.first?.root {
      // The id shows whether the object exists.
      let id = AttributePath(root: root, steps: steps, column: entity.identity)
      places[entity.identity] = place(.attribute(id))
    }
    let own = related.filter { $0.manyPath?.steps.starts(with: steps) ?? false }
    self.related = Dictionary(uniqueKeysWithValues: own.map { ($0, place($0) ?? 0) })
    way = (paths.first?.root ?? entity, steps)
    self.name = name
    isRoot = steps.isEmpty
    self.places = places
    self.steps = further
    let named = steps.isEmpty ? paths : []
    namedValues =
      (named.compactMap { path in place(.attribute(path)).map { (path.relativeName, $0) } }
      + (steps.isEmpty ? self.related.map { ("\($0)", $1) } : []))
      .sorted { TextBytes.compare($0.name, $1.name) < 0 }
  }
}

extension InclusionTree {
  /// Returns true if both trees include the same attributes, and these have the same values in two
  /// rows.
  func showsSame(_ values: RowValues?, as other: InclusionTree, _ otherValues: RowValues?) -> Bool {
    guard places.count == other.places.count, steps.count == other.steps.count,
      related.count == other.related.count
    else { return false }
    for (value, place) in related {
      guard let otherPlace = other.related[value],
        values?.all[place] ?? .null == otherValues?.all[otherPlace] ?? .null
      else { return false }
    }
    for (column, place) in places {
      guard let otherPlace = other.places[column],
        values?.all[place] ?? .null == otherValues?.all[otherPlace] ?? .null
      else { return false }
    }
    return steps.allSatisfy { column, next in
      guard let otherNext = other.steps[column] else { return false }
      return next.showsSame(values, as: otherNext, otherValues)
    }
  }
}

extension QueryExpression {
  /// The path to the several objects of which the value is made, or nil if there are none.
  var manyPath: ManyPath? {
    switch self {
    case .count(let path, _), .related(_, let path, _, _): path
    default: nil
    }
  }
}

extension AttributePath {
  /// The path from the object to the attribute, for example `owner.name`.
  var relativeName: String {
    let column = target.columns[column]
    return
      (steps.map { $0.source.columns[$0.column].name } + [column.name]
      + (part.map { [column.parts[$0].name] } ?? []))
      .joined(separator: ".")
  }
}

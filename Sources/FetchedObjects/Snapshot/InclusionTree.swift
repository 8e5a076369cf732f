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
  /// The values that are computed, and their places.
  ///
  /// All of them are at the root. Below it are those that are made of the objects that refer to
  /// this one, as expressions of this object, whatever the way to it.
  let computed: [QueryExpression: Int]
  /// The included values by name at the root, for example `owner.name`, with their places.
  ///
  /// They are in the order of their names.
  let namedValues: [(name: String, place: Int)]

  /// `place` returns the position of a value in a row.
  init(
    _ entity: EntityDescription, _ paths: [AttributePath], _ computed: [QueryExpression],
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
          step.target, paths, computed, place: place, after: steps + [step],
          name: "\(name).\(step.source.columns[step.column].name)")
      }
    }
    if !steps.isEmpty, let root = paths.first?.root {
      // The id shows whether the object exists.
      let id = AttributePath(root: root, steps: steps, column: entity.identity)
      places[entity.identity] = place(.attribute(id))
    }
    self.computed = Dictionary(
      uniqueKeysWithValues: computed.compactMap { value in
        (steps.isEmpty ? value : value.ofOwner(after: steps)).map { ($0, place(value) ?? 0) }
      })
    self.name = name
    isRoot = steps.isEmpty
    self.places = places
    self.steps = further
    if !steps.isEmpty {
      namedValues = []
      return
    }
    let named =
      paths.compactMap { path in place(.attribute(path)).map { (path.relativeName, $0) } }
      + Self.names(of: computed).compactMap { value, name in place(value).map { (name, $0) } }
    namedValues = named.sorted { TextBytes.compare($0.0, $1.0) < 0 }
  }
}

extension InclusionTree {
  /// Returns a name for each computed value.
  ///
  /// A description leaves out the rest of long constants. Values that are described alike are
  /// numbered in the order in which the query includes them.
  private static func names(of values: [QueryExpression]) -> [(QueryExpression, String)] {
    var counts: [String: Int] = [:]
    return values.map { value in
      let name = "\(value)"
      let number = counts[name, default: 0] + 1
      counts[name] = number
      return (value, number == 1 ? name : "\(name) \(number)")
    }
  }

  /// Returns true if both trees include the same attributes, and these have the same values in two
  /// rows.
  func showsSame(_ values: RowValues?, as other: InclusionTree, _ otherValues: RowValues?) -> Bool {
    guard places.count == other.places.count, steps.count == other.steps.count,
      computed.count == other.computed.count
    else { return false }
    for (value, place) in computed {
      guard let otherPlace = other.computed[value],
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
  /// Returns the value as one of the owner of the objects of which it is made, if the owner is the
  /// object at the end of some steps.
  fileprivate func ofOwner(after steps: [ReferenceStep]) -> QueryExpression? {
    switch self {
    case .count(let path, let condition):
      path.steps == steps ? .count(path.ofOwner, where: condition) : nil
    case .related(let aggregate, let path, let value, let condition):
      path.steps == steps
        ? .related(aggregate, path.ofOwner, of: value, where: condition) : nil
    default: nil
    }
  }
}

extension QueryExpression {
  /// The path from the object to an attribute, or the description of another expression.
  var relativeName: String {
    if case .attribute(let path) = self { return path.relativeName }
    return description
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

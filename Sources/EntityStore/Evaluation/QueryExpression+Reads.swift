extension QueryExpression {
  /// A read of a part, from the object itself or from the objects to which a way leads.
  enum Read {
    /// Attributes of the object at the end of steps through references.
    case attributes([Int], steps: [ReferenceStep])
    /// The objects that refer to an owner; if they are only counted, their ids are enough.
    case referrers(ManyPath, areCounted: Bool)
  }

  /// The reads that an evaluation makes, each with the paths that lead there.
  ///
  /// They aren't given to a closure that may throw: if a closure in a function that rethrows makes
  /// a case of two values, as here, Swift 6.3 compiles the function as if nothing were ever thrown.
  var reads: [(read: Read, way: [ManyPath])] {
    var reads: [(read: Read, way: [ManyPath])] = []
    forEachPart { part, way in
      switch part {
      case .attribute(let path), .moment(_, let path, _):
        reads.append((.attributes([path.column], steps: path.steps), way))
      case .matches(let path, _):
        reads.append((.attributes(path.columns, steps: path.steps), way))
      case .count(let path, let condition):
        reads.append((.referrers(path, areCounted: condition == nil), way))
      case .related(_, let path, _, _): reads.append((.referrers(path, areCounted: false), way))
      default: break
      }
    }
    return reads
  }

  /// The columns of the object itself that the value depends on.
  ///
  /// A change of another object may change the value, too.
  package var ownColumns: Set<Int> {
    var own: Set<Int> = []
    for (read, way) in reads where way.isEmpty {
      switch read {
      case .attributes(let columns, let steps):
        if let step = steps.first { own.insert(step.column) } else { own.formUnion(columns) }
      case .referrers(let path, _):
        if let step = path.steps.first { own.insert(step.column) }
      }
    }
    return own
  }
}

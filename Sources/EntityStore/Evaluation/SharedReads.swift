/// The reads of other objects that may be the same for several objects of a query.
package enum SharedReads: Sendable {
  /// Nothing is read of other objects.
  case nothing
  /// Objects are read, or values are made of the objects that refer to a row itself.
  case objects
  /// Values are made of the objects that refer to an object to which several rows may refer.
  ///
  /// An example is the number of cars of each car's owner.
  case values

  /// Finds the reads that expressions make.
  package init(of expressions: [QueryExpression]) {
    self = .nothing
    for expression in expressions {
      for (read, way) in expression.reads {
        switch read {
        case .attributes(_, let steps): add(!way.isEmpty || !steps.isEmpty)
        case .referrers(let path, _):
          add(true)
          if !path.steps.isEmpty { self = .values }
        }
      }
    }
  }

  private mutating func add(_ readsOthers: Bool) {
    if readsOthers, case .nothing = self { self = .objects }
  }
}

@_spi(Storage) internal import EntityStore

extension QueryExpression {
  /// The steps at whose end there is an object wherever the condition is true.
  ///
  /// Only conditions that an index may serve are looked at. Without the object, its attributes are
  /// nil, and these conditions are false of nil (S7).
  var neededSteps: [[ReferenceStep]] { conjuncts.compactMap(\.ownNeededSteps) }

  private var ownNeededSteps: [ReferenceStep]? {
    switch self {
    case .comparison(.notEqual, _, _): nil
    case .comparison(_, .attribute(let path), .constant(let value)):
      value.isNull ? nil : path.steps
    case .isIn(.attribute(let path), _): path.steps
    default: nil
    }
  }
}

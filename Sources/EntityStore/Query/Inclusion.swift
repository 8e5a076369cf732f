/// The values that come with each row of a result.
///
///     query.including {
///       $0.owner.name
///       $0.repairs.count
///       $0.price * 2
///     }
public struct Inclusion<Root: Entity>: Sendable {
  let paths: [AttributePath]
  /// The values that are made of several related objects, or otherwise computed.
  let computed: [QueryExpression]

  init(paths: [AttributePath], computed: [QueryExpression] = []) {
    self.paths = paths
    self.computed = computed
  }

  init(computed expression: QueryExpression) {
    let steps: [ReferenceStep] =
      switch expression {
      case .count(let path, _), .related(_, let path, _, _): path.steps
      default: []
      }
    // An owner that is reached through references is included by its id, so that a row can step to
    // it.
    paths =
      steps.last.map { last in
        [AttributePath(root: Root.schema.entity, steps: steps, column: last.target.identity)]
      } ?? []
    computed = [expression]
  }

  /// Creates an inclusion without values.
  public init() { (paths, computed) = ([], []) }
}

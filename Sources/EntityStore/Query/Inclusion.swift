/// The paths whose values come with each row of a result.
///
///     query.including { $0.owner.name }
public struct Inclusion<Root: Entity>: Sendable {
  let paths: [AttributePath]

  init(paths: [AttributePath]) { self.paths = paths }

  /// Creates an inclusion without paths.
  public init() { paths = [] }
}

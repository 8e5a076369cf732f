/// Paths whose values come with each row of a result.
public struct Inclusion<Root: Entity>: Sendable {
  let paths: [AttributePath]

  init(paths: [AttributePath]) { self.paths = paths }

  /// Nothing.
  public init() { paths = [] }
}

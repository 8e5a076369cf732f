internal import EntityStore
internal import Locking

/// A result that models of equal queries share.
protocol SharedResult: AnyObject, Sendable {
  /// Creates a result that has not been fetched.
  ///
  /// - Throws: what a result throws that it stands on.
  init(_ query: QueryDescription, in store: Store, among results: SharedResults<Self>) throws

  /// Registers, reads the result at one version, and drops the commits up to it (F1).
  func start() throws

  /// Whether a commit could not be read, so that the result is an older one.
  var isStale: Bool { get }
}

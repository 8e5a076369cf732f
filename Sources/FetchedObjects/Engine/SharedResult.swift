@_spi(Storage) internal import EntityStore

/// A result that models of equal queries share.
protocol SharedResult: AnyObject, Sendable {
  /// Creates a result that has not been fetched; the result that it is built on may throw.
  init(_ query: QueryDescription, in store: Store, among results: SharedResults<Self>) throws

  /// Registers, reads the result at one version, and drops the commits up to it (F1).
  func start() throws

  /// True if a commit couldn't be read, so that the result is an older one.
  var isStale: Bool { get }
}

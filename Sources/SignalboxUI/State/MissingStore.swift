/// The error of a view that shows something of a store and has no store in its environment.
///
/// The view shows an empty list, or no object, until there is a store.
public struct MissingStore: Error, Hashable, CustomStringConvertible {
  /// Creates the error.
  public init() {}

  /// A sentence that says what to do.
  public var description: String {
    "There is no store in the environment; add .store(store) to a view above, also in a preview"
  }
}

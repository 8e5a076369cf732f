internal import EntityStore
internal import Locking

/// The limits of the first rows that a store keeps for windows; a test lowers them.
final class FirstRowsLimits: Sendable {
  /// The greatest number of first rows that windows share.
  ///
  /// A window further down has an index, which knows the place of each row (``WindowSource``).
  let most = AtomicWord(2048)
  /// The least number of rows that are kept for windows.
  let least = AtomicWord(64)

  /// Returns the limits of a store.
  static func of(_ store: Store) -> FirstRowsLimits {
    store.companion(FirstRowsLimits.self) { FirstRowsLimits() }
  }
}

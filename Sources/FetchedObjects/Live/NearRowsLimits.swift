internal import EntityStore
internal import Locking

/// The limits of the rows that a store keeps near windows; a test lowers them.
final class NearRowsLimits: Sendable {
  /// The greatest number of rows, from the first one or from the last one, that windows share.
  ///
  /// A window further inside has an index, which knows the place of each row (``WindowSource``). A
  /// window around a row may have as many rows.
  let most = AtomicWord(2048)
  /// The least number of rows that are kept for windows.
  let least = AtomicWord(64)
  /// The number of results of rows around one so far; each has a number of its own.
  let number = AtomicWord(0)

  /// Returns true if the rows around one may be kept for a window without the other rows.
  ///
  /// Sums of its numbers and of a reserve don't overflow then.
  func allow(_ anchor: WindowAnchor) -> Bool {
    let most = most.load()
    return anchor.before < most && anchor.after < most && anchor.before + anchor.after < most
  }

  static func of(_ store: Store) -> NearRowsLimits {
    store.companion(NearRowsLimits.self) { NearRowsLimits() }
  }
}

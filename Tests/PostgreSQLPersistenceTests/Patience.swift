#if PostgreSQL
import EntityStore

/// The time for which a test's store waits for others, which a slow machine may hold up for long.
///
/// A test of a wait that ends uses less. Stores that create their schemas wait for each other, also
/// those of different tests. So such a test creates its schema before.
let patience = Duration.seconds(300)

extension Store {
  /// Merges the commits of others, and waits until all events have been delivered.
  ///
  /// After `refresh()` alone, the thread that follows others may still be delivering what it has
  /// merged.
  ///
  /// - Throws: the error of `refresh()`.
  func catchUp() async throws {
    try refresh()
    await flush()
  }
}
#endif

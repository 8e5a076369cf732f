/// A storage in which other versions may take the numbers of versions that a store has seen.
package protocol SkippingStorage: Storage {
  /// True if a store goes on after its last versions were lost, as by a crash of a server.
  var mayLoseVersions: Bool { get }
  /// Makes a version that changes nothing, with a number greater than `version`.
  func skip(past version: Int64) throws
  /// Runs `body`, for whose reads the store's commits wait.
  ///
  /// On this thread, the reads of `body` wait for no other reads. Calls may be nested, and other
  /// threads may make them, too, or commit meanwhile.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws.
  func merging<R>(_ body: () throws -> R) rethrows -> R
}

extension SkippingStorage {
  /// The value false: a store with a newer version than its storage has to be opened again.
  package var mayLoseVersions: Bool { false }

  /// Runs `body`, since no read waits for another one.
  package func merging<R>(_ body: () throws -> R) rethrows -> R { try body() }
}

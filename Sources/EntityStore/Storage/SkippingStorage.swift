/// A storage in which other versions may take the numbers of versions that a store has seen.
package protocol SkippingStorage: Storage {
  /// True if a store goes on after its last versions were lost, as by a crash of a server.
  var mayLoseVersions: Bool { get }
  /// Makes a version that changes nothing, with a number greater than `version`.
  func skip(past version: Int64) throws
}

extension SkippingStorage {
  /// The value false: a store with a newer version than its storage has to be opened again.
  package var mayLoseVersions: Bool { false }
}

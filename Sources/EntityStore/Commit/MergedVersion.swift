internal import Locking

/// The last version that a store has merged, for code that doesn't hold the store.
final class MergedVersion: Sendable {
  private let word: AtomicWord

  init(_ version: Int64) { word = AtomicWord(Int(version)) }

  var value: Int64 { Int64(word.load()) }

  func set(_ version: Int64) { word.store(Int(version)) }
}

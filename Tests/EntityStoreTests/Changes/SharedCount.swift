import Locking

/// An atomic word that closures can share.
final class SharedCount: Sendable {
  let word: AtomicWord

  init(_ value: Int = 0) { word = AtomicWord(value) }
}

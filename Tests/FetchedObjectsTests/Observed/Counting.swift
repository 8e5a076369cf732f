import Locking

/// Counts, from any thread.
final class Counting: Sendable {
  private let word = AtomicWord(0)

  func add(_ number: Int = 1) { word.add(number) }

  var count: Int { word.load() }
}

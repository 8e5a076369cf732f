public import CLocking

/// A word of 32 bits inside a larger object that threads read and change without a lock.
///
/// The object sees to it that the address stays while anyone uses the word.
public struct UnsafeAtomicWord {
  @usableFromInline let word: UnsafeMutablePointer<Int32>

  /// The word at `word`.
  @inlinable public init(_ word: UnsafeMutablePointer<Int32>) { self.word = word }

  /// The value, with everything written before it was stored.
  @inlinable public func load() -> Int32 { sb_atomic32_load(word) }

  /// The value alone.
  @inlinable public func loadRelaxed() -> Int32 { sb_atomic32_load_relaxed(word) }

  /// Sets the value; who loads it sees everything written before.
  @inlinable public func store(_ value: Int32) { sb_atomic32_store(word, value) }

  /// Sets the value and gives the one before.
  @inlinable public func exchange(_ value: Int32) -> Int32 { sb_atomic32_exchange(word, value) }

  /// Sets bits and gives the value before.
  @inlinable public func or(_ bits: Int32) -> Int32 { sb_atomic32_or(word, bits) }

  /// Sets `desired` if the value is `expected`, and says whether it did.
  @inlinable public func compareExchange(_ expected: Int32, _ desired: Int32) -> Bool {
    sb_atomic32_compare_exchange(word, expected, desired)
  }
}

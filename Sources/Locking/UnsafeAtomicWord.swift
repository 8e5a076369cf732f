public import CLocking

/// A word of 32 bits inside a larger object that threads read and change without a lock.
///
///     let word = UnsafeAtomicWord(pointer)
///     word.store(1)
///
/// The object keeps the address valid while the word is in use.
public struct UnsafeAtomicWord {
  @usableFromInline let word: UnsafeMutablePointer<Int32>

  /// Creates a reference to the word at the address `word`.
  @inlinable public init(_ word: UnsafeMutablePointer<Int32>) { self.word = word }

  /// Returns the value, and makes visible everything that was written before it was stored.
  @inlinable public func load() -> Int32 { sb_atomic32_load(word) }

  /// Returns the value, and makes no other writes visible.
  @inlinable public func loadRelaxed() -> Int32 { sb_atomic32_load_relaxed(word) }

  /// Sets the value; a thread that loads it sees everything that was written before.
  @inlinable public func store(_ value: Int32) { sb_atomic32_store(word, value) }

  /// Sets the value and returns the previous one.
  @inlinable public func exchange(_ value: Int32) -> Int32 { sb_atomic32_exchange(word, value) }

  /// Sets bits and returns the previous value.
  @inlinable public func or(_ bits: Int32) -> Int32 { sb_atomic32_or(word, bits) }

  /// Sets the word to `desired` if its value is `expected`.
  ///
  /// - Returns: true if the word was set.
  @inlinable public func compareExchange(_ expected: Int32, _ desired: Int32) -> Bool {
    sb_atomic32_compare_exchange(word, expected, desired)
  }
}

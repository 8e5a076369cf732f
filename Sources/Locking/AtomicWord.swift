public import CLocking

/// A machine word that threads read and change without a lock.
///
///     let count = AtomicWord(0)
///     count.add(1)
public struct AtomicWord: ~Copyable, @unchecked Sendable {
  // @unchecked: the word is reached by atomic operations only.
  @usableFromInline let word: UnsafeMutablePointer<Int>

  /// Creates a word with the value `value`.
  @inlinable public init(_ value: Int) {
    word = .allocate(capacity: 1)
    word.initialize(to: value)
  }

  deinit { word.deallocate() }

  /// Returns the value, and makes visible everything that was written before it was stored.
  @inlinable public func load() -> Int { sb_atomic_load(word) }

  /// Returns the value, and makes no other writes visible.
  @inlinable public func loadRelaxed() -> Int { sb_atomic_load_relaxed(word) }

  /// Sets the value; all threads see such changes in one order.
  @inlinable public func store(_ value: Int) { sb_atomic_store(word, value) }

  /// Sets the value and returns the previous one.
  @inlinable public func exchange(_ value: Int) -> Int { sb_atomic_exchange(word, value) }

  /// Adds `value` and returns the sum.
  @discardableResult @inlinable public func add(_ value: Int) -> Int { sb_atomic_add(word, value) }

  /// Sets the word to `desired` if its value is `expected`.
  ///
  /// - Returns: true if the word was set.
  @inlinable public func compareExchange(_ expected: Int, _ desired: Int) -> Bool {
    sb_atomic_compare_exchange(word, expected, desired)
  }
}

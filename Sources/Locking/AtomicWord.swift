public import CLocking

/// A machine word that threads read and change without a lock.
public struct AtomicWord: ~Copyable, @unchecked Sendable {
  // @unchecked: the word is reached by atomic operations only.
  @usableFromInline let word: UnsafeMutablePointer<Int>

  /// A word that holds `value`.
  @inlinable public init(_ value: Int) {
    word = .allocate(capacity: 1)
    word.initialize(to: value)
  }

  deinit { word.deallocate() }

  /// The value, with everything written before it was stored.
  @inlinable public func load() -> Int { sb_atomic_load(word) }

  /// The value alone.
  @inlinable public func loadRelaxed() -> Int { sb_atomic_load_relaxed(word) }

  /// Sets the value, in one order for all threads.
  @inlinable public func store(_ value: Int) { sb_atomic_store(word, value) }

  /// Sets the value and gives the one before.
  @inlinable public func exchange(_ value: Int) -> Int { sb_atomic_exchange(word, value) }

  /// Adds `value` and gives the sum.
  @discardableResult @inlinable public func add(_ value: Int) -> Int { sb_atomic_add(word, value) }

  /// Sets `desired` if the value is `expected`, and says whether it did.
  @inlinable public func compareExchange(_ expected: Int, _ desired: Int) -> Bool {
    sb_atomic_compare_exchange(word, expected, desired)
  }
}

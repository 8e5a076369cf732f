public import CLocking

/// A word inside a larger object that threads set to an object once, and read without a lock.
///
///     let reference = UnsafeOnceReference(pointer)
///     let object = reference.object ?? reference.set(Name("Ann"))
///
/// The word is 0 while there is no object; otherwise it holds the object. The larger object keeps
/// the address valid while the word is in use, and clears the word before it is deallocated.
public struct UnsafeOnceReference {
  @usableFromInline let word: UnsafeMutablePointer<Int>

  /// Creates a reference to the word at the address `word`.
  @inlinable public init(_ word: UnsafeMutablePointer<Int>) { self.word = word }

  /// The object, or nil if there is none.
  ///
  /// A caller that gets the object also sees everything that was written before it was set.
  public var object: AnyObject? {
    guard let pointer = UnsafeRawPointer(bitPattern: sb_atomic_load(word)) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Sets the object unless another thread has set one already.
  ///
  /// - Returns: The object that is set now.
  public func set(_ object: AnyObject) -> AnyObject {
    let reference = Unmanaged.passRetained(object)
    if sb_atomic_compare_exchange(word, 0, Int(bitPattern: reference.toOpaque())) {
      return object
    }
    reference.release()
    return self.object ?? object
  }

  /// Releases the object.
  ///
  /// Call it only when no other thread can reach the word.
  @inlinable public func clear() {
    if sb_atomic_load_relaxed(word) != 0 { release() }
  }

  @usableFromInline func release() {
    guard let pointer = UnsafeRawPointer(bitPattern: sb_atomic_exchange(word, 0)) else { return }
    Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }
}

public import CLocking

/// A word inside a larger object that threads set to an object once, and read without a lock.
///
/// The word is 0 as long as there is no object, and holds the one that there is. The larger object sees
/// to it that the address stays while anyone uses the word, and clears it before it goes.
public struct UnsafeOnceReference {
  @usableFromInline let word: UnsafeMutablePointer<Int>

  /// The word at `word`.
  @inlinable public init(_ word: UnsafeMutablePointer<Int>) { self.word = word }

  /// The object, with everything written before it was set, or nil if there is none.
  public var object: AnyObject? {
    guard let pointer = UnsafeRawPointer(bitPattern: sb_atomic_load(word)) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Sets the object unless another thread was faster.
  ///
  /// - Returns: the object that is there now.
  public func set(_ object: AnyObject) -> AnyObject {
    let reference = Unmanaged.passRetained(object)
    if sb_atomic_compare_exchange(word, 0, Int(bitPattern: reference.toOpaque())) {
      return object
    }
    reference.release()
    return self.object ?? object
  }

  /// Lets go of the object, while nobody else can reach the word.
  @inlinable public func clear() {
    if sb_atomic_load_relaxed(word) != 0 { release() }
  }

  @usableFromInline func release() {
    guard let pointer = UnsafeRawPointer(bitPattern: sb_atomic_exchange(word, 0)) else { return }
    Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }
}

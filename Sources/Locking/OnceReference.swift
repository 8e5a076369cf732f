/// A place for an object that threads set once, and read without a lock.
///
/// What loses the race to be set is let go of, so it should be as good as what won.
public struct OnceReference<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  // @unchecked: the word is reached by atomic operations only.
  private let word: UnsafeMutablePointer<Int>?

  /// A place without an object; one that doesn't keep what is set takes no memory of its own.
  public init(keepsObject: Bool = true) {
    word = keepsObject ? .allocate(capacity: 1) : nil
    word?.initialize(to: 0)
  }

  deinit {
    clear()
    word?.deallocate()
  }

  /// Whether it keeps what is set.
  public var keepsObject: Bool { word != nil }

  /// The object, with everything written before it was set, or nil if there is none.
  public var object: Object? { word.flatMap { UnsafeOnceReference($0).object as? Object } }

  /// Sets the object unless another thread was faster, or nothing is kept.
  ///
  /// - Returns: the object that is there now, or the one given if nothing is kept.
  public func set(_ object: Object) -> Object {
    word.flatMap { UnsafeOnceReference($0).set(object) as? Object } ?? object
  }

  /// Lets go of the object, while nobody else can reach the place.
  public func clear() {
    if let word { UnsafeOnceReference(word).clear() }
  }
}

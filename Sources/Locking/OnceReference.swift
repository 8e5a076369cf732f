/// A reference to an object that threads set once, and read without a lock.
///
///     let name = OnceReference<Name>()
///     let object = name.object ?? name.set(Name("Ann"))
///
/// If several threads set an object, one of them wins and the other objects are released. So each
/// must be as good as any other.
public struct OnceReference<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  // @unchecked: the word is reached by atomic operations only.
  private let word: UnsafeMutablePointer<Int>?

  /// Creates a reference without an object.
  ///
  /// - Parameter keepsObject: Pass false for a reference that never keeps an object. It then takes
  ///   no memory of its own.
  public init(keepsObject: Bool = true) {
    word = keepsObject ? .allocate(capacity: 1) : nil
    word?.initialize(to: 0)
  }

  deinit {
    clear()
    word?.deallocate()
  }

  /// True if an object that is set is kept.
  public var keepsObject: Bool { word != nil }

  /// The object, or nil if there is none.
  ///
  /// A caller that gets the object also sees everything that was written before it was set.
  public var object: Object? { word.flatMap { Self.typed(UnsafeOnceReference($0).object) } }

  /// Sets the object unless another thread has set one already, or none is kept.
  ///
  /// - Returns: The object that is set now, or `object` if none is kept.
  public func set(_ object: Object) -> Object {
    word.flatMap { Self.typed(UnsafeOnceReference($0).set(object)) } ?? object
  }

  // Only `set` stores an object, so no check of its type is needed.
  private static func typed(_ object: AnyObject?) -> Object? {
    object.map { unsafeDowncast($0, to: Object.self) }
  }

  /// Releases the object.
  ///
  /// Call it only when no other thread can reach the reference.
  public func clear() {
    if let word { UnsafeOnceReference(word).clear() }
  }
}

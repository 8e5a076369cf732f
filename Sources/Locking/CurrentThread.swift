public import CLocking

/// The identity of the calling thread, and words that belong to it.
///
///     let isMine = owner.load() == CurrentThread.token
public enum CurrentThread {
  /// A number that no other living thread has.
  public static var token: Int { sb_thread_token() }

  /// A number that hardly any other living thread has: it is odd, and its second bit is 0.
  ///
  /// Two threads may have the same tag, so correctness must not depend on it.
  @inlinable public static var tag: Int32 { sb_thread_tag() }

  /// A word that belongs to each thread.
  public enum Word: Int32, Sendable {
    /// The queue that delivers on the thread; `Relays` keeps it.
    case queue
    /// The deliveries that wait until a commit has ended; `Relays` keeps them.
    case deferred
    /// The pool that the thread has open; `ReleasePool` keeps it.
    case pool
    /// The number of bodies of `modify` that the thread is inside of; `Relays` counts them.
    case modify
  }

  /// The value of a word that belongs to this thread; initially 0.
  public static subscript(word: Word) -> Int {
    get { sb_thread_word(word.rawValue) }
    set { sb_thread_set_word(word.rawValue, newValue) }
  }

  /// The object that this thread keeps, or nil.
  public static var kept: UnsafeMutableRawPointer? { sb_thread_kept() }

  /// Keeps an object instead of the previous one; nil keeps none.
  ///
  /// `end` isn't called for the previous object. `Relays` keeps an object with which it finds out
  /// whether a read is tracked.
  ///
  /// - Parameters:
  ///   - object: The object to keep.
  ///   - end: A function that is called with the kept object when the thread ends. Pass the same
  ///     one each time.
  /// - Returns: false if the system has no room. Then nothing is kept.
  @discardableResult public static func keep(
    _ object: UnsafeMutableRawPointer?,
    end: @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) -> Bool {
    sb_thread_keep(object, end)
  }

  /// Lets other threads run.
  public static func yield() { sb_thread_yield() }
}

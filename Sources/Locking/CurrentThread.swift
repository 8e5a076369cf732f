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

  /// A word that belongs to this thread; initially 0.
  ///
  /// `Relays` keeps the queue that delivers on this thread in it.
  public static var word: Int {
    get { sb_thread_word(0) }
    set { sb_thread_set_word(0, newValue) }
  }

  /// Another word that belongs to this thread; initially 0.
  ///
  /// `Relays` keeps in it what is deferred until a commit has ended.
  public static var secondWord: Int {
    get { sb_thread_word(1) }
    set { sb_thread_set_word(1, newValue) }
  }

  /// A third word that belongs to this thread; initially 0.
  ///
  /// `ReleasePool` keeps in it the pool that the thread has open.
  public static var thirdWord: Int {
    get { sb_thread_word(2) }
    set { sb_thread_set_word(2, newValue) }
  }

  /// A fourth word that belongs to this thread; initially 0.
  ///
  /// `Relays` counts in it the bodies of `modify` that the thread is inside of.
  public static var fourthWord: Int {
    get { sb_thread_word(3) }
    set { sb_thread_set_word(3, newValue) }
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

public import CLocking

/// What is known of the calling thread.
public enum CurrentThread {
  /// A number that no other living thread has.
  public static var token: Int { sb_thread_token() }

  /// A number that hardly any other living thread has: odd, with a second bit of 0.
  ///
  /// Two threads may have the same one, so nothing that has to be right may depend on it.
  @inlinable public static var tag: Int32 { sb_thread_tag() }

  /// A word of this thread's own; 0 at first.
  ///
  /// `Relays` keeps the queue that delivers here in it.
  public static var word: Int {
    get { sb_thread_word(0) }
    set { sb_thread_set_word(0, newValue) }
  }

  /// Another word of this thread's own; 0 at first.
  ///
  /// `Relays` keeps what is put off until a commit has ended in it.
  public static var secondWord: Int {
    get { sb_thread_word(1) }
    set { sb_thread_set_word(1, newValue) }
  }

  /// The object that this thread keeps, or nil.
  public static var kept: UnsafeMutableRawPointer? { sb_thread_kept() }

  /// Keeps an object in the place of the one before, which isn't ended; nil keeps none.
  ///
  /// `Relays` keeps one by which it finds out whether somebody tracks a read.
  ///
  /// - Parameters:
  ///   - object: What to keep.
  ///   - end: Called with what is kept when the thread ends. It is the same each time.
  /// - Returns: false if the system has no room; then nothing is kept.
  @discardableResult public static func keep(
    _ object: UnsafeMutableRawPointer?,
    end: @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) -> Bool {
    sb_thread_keep(object, end)
  }

  /// Lets other threads run.
  public static func yield() { sb_thread_yield() }
}

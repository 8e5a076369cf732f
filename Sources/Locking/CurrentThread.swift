internal import CLocking

/// What is known of the calling thread.
public enum CurrentThread {
  /// A number that no other living thread has.
  public static var token: Int { sb_thread_token() }

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

  /// Lets other threads run.
  public static func yield() { sb_thread_yield() }
}

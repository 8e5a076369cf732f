internal import Locking

/// The mark of a thread that is inside the body of a `modify` of any state relay.
///
/// Such a thread holds the lock of that relay, so it must not cancel a token of it, not even by
/// releasing one that has ended. The mark is the lowest bit of the thread's second word. The other
/// bits are those of an address, in which this bit is 0.
enum RunningModify {
  /// The bit of the thread's word.
  static let bit = 1

  /// True if the calling thread is inside a body.
  static var isHere: Bool { CurrentThread.secondWord & bit != 0 }

  /// Marks the calling thread.
  ///
  /// - Returns: true if the thread had no mark, so that its outermost body begins.
  static func begin() -> Bool {
    let word = CurrentThread.secondWord
    if word & bit != 0 { return false }
    CurrentThread.secondWord = word | bit
    return true
  }

  /// Removes the mark when the outermost body ends.
  static func end(isOutermost: Bool) {
    if isOutermost { CurrentThread.secondWord &= ~bit }
  }
}

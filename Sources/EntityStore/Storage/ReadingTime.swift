internal import Locking

/// The time in which a storage's reader may be used: while the body runs that was given it.
///
/// Afterwards its version may be released, and another reader may use its connection.
package struct ReadingTime {
  private var isOver = false

  /// Creates a time that has begun.
  package init() {}

  /// Ends the time, when the body has returned.
  package mutating func end() { isOver = true }

  /// Traps if the time is over.
  @inline(__always) package func check() {
    mustHold(
      !isOver,
      "A storage's reader is used after the body it was given to; do the work inside the body, and "
        + "keep what it returns")
  }
}

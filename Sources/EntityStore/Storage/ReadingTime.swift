internal import Locking

/// Whether a storage's reader may be used, which it may while the body runs that it was given to.
///
/// Afterwards the version it shows may have gone, and its connection may be another reader's.
package struct ReadingTime {
  private var isOver = false

  /// A time that has begun.
  package init() {}

  /// Ends it, when the body has returned.
  package mutating func end() { isOver = true }

  /// Stops the program if it is over.
  @inline(__always) package func check() {
    mustHold(
      !isOver,
      "A storage's reader is used after the body it was given to; do the work inside the body, and "
        + "keep what it returns")
  }
}

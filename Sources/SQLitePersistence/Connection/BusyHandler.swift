internal import SQLiteLibrary

/// The wait of one connection for a lock that another one holds.
///
/// SQLite's own wait goes on after the store has been suspended. This one ends then.
final class BusyHandler {
  /// The numbers of milliseconds between the first attempts; the last one is repeated.
  private static let pauses: [Int32] = [1, 2, 5, 10]

  /// The longest time to wait, from the first attempt on; with zero, nothing is waited for.
  var limit = Duration.zero
  /// The gate behind which nothing is waited for, once it is closed.
  var gate: FileGate?
  /// The pause of some milliseconds before the next attempt; tests do something else meanwhile.
  var pause: (Int32) -> Void = { _ = sqlite3_sleep($0) }
  /// True if the gate has ended the last wait.
  private(set) var wasEndedByGate = false
  /// The end of the wait, or nil if the next attempt begins one.
  private var end: ContinuousClock.Instant?

  /// Has SQLite call the handler for as long as the handler exists.
  func begin(_ handle: OpaquePointer) {
    sqlite3_busy_handler(
      handle,
      { context, attempts in
        guard let context else { return 0 }
        let handler = Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue()
        return handler.waits(after: Int(attempts)) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Notes that a statement is prepared, for which SQLite doesn't count its attempts from 0.
  func notePreparing() { (end, wasEndedByGate) = (nil, false) }

  /// Waits for a moment, and returns true if there is to be another attempt.
  private func waits(after attempts: Int) -> Bool {
    let now = ContinuousClock.now
    if attempts == 0 { notePreparing() }
    let end = self.end ?? now + limit
    self.end = end
    wasEndedByGate = gate?.isClosedHere ?? false
    if now >= end || wasEndedByGate { return false }
    pause(Self.pauses[min(attempts, Self.pauses.count - 1)])
    return true
  }
}

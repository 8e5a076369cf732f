internal import Locking

/// An alarm that the system rings once when a file is written, moved or deleted, by this process or
/// another one.
///
/// It rings at the first write to the WAL. That is before the commit is over, so a check that finds
/// nothing has to be repeated. If there is no WAL, it rings as soon as there is one. It isn't rung
/// by writes to shared memory.
final class FileAlarm: Sendable {
  private struct State {
    var hasRung = false
    var armed: FileEvents.Armed?
  }

  private let path: String
  let folder: String
  /// The name that the WAL has in the folder.
  private let logName: [UInt8]
  private let wakeUp: WakeUp
  private let state = Locked(State())

  /// Creates an alarm for the file at a path and the two files beside it.
  init(_ path: String, _ wakeUp: WakeUp) {
    // The WAL is beside the file to which a link leads. A link that is changed later is noticed by
    // the clock.
    let path = Connection.resolved(path)
    self.path = path
    self.wakeUp = wakeUp
    folder = AtomicFile.folder(of: path)
    let parts = (path + "-wal").utf8.split(separator: UInt8(ascii: "/"))
    logName = parts.last.map { Array($0) } ?? []
  }

  func isLog(_ name: [UInt8]) -> Bool { name == logName }

  /// Arms the alarm, unless it is armed; check the file after that and before sleeping.
  ///
  /// - Returns: false if the system doesn't ring for such a file. Then it is checked by the clock.
  func arm() -> Bool {
    if state.withLock({ $0.armed != nil }) { return true }
    guard let armed = FileEvents.arm(self, for: path) else { return false }
    state.withLock { $0.armed = armed }
    return true
  }

  func disarm() {
    let armed = state.withLock { $0.armed.take() }
    armed?.cancel(self)
  }

  /// Notes a change and wakes the sleeper.
  func ring() {
    let armed = state.withLock { state in
      state.hasRung = true
      return state.armed.take()
    }
    armed?.cancel(self)
    wakeUp.call()
  }

  /// Returns true if the alarm has rung since the last call; then it isn't armed any more.
  func takeRing() -> Bool {
    let (hasRung, armed) = state.withLock { state in
      defer { state.hasRung = false }
      // It may have rung while it was being armed.
      return (state.hasRung, state.hasRung ? state.armed.take() : nil)
    }
    armed?.cancel(self)
    return hasRung
  }
}

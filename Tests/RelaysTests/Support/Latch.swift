import Dispatch
import Locking

/// A door that opens once; threads and tasks wait before it.
///
///     let arrived = Latch()
///     let token = relay.subscribe { _ in arrived.open() }
///     await arrived.wait()
final class Latch: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())
  private let group = DispatchGroup()

  init() { group.enter() }

  var isOpen: Bool { state.withLock { $0.isOpen } }

  func open() {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
      guard !state.isOpen else { return nil }
      state.isOpen = true
      return state.waiting
    }
    guard let waiting else { return }
    group.leave()
    for continuation in waiting { continuation.resume() }
  }

  /// Waits on this thread, and says whether the door opened in time.
  func opensSoon() -> Bool { group.wait(timeout: .now() + .seconds(300)) == .success }

  /// Waits without holding a thread.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  deinit {
    // A group may not go while it is entered.
    if !isOpen { group.leave() }
  }
}

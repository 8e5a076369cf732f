import Dispatch
import Foundation

/// Starts a thread that ends at once.
///
/// In a process that never had a second thread glibc skips the atomic part of its locks, which
/// makes them three times as fast as in any real program.
func startFirstThread() {
  let ended = DispatchSemaphore(value: 0)
  Thread { ended.signal() }.start()
  ended.wait()
}

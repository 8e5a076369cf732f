internal import Foundation

/// A thread that can be waited for.
///
///     let thread = TestThread { relay.send(1) }
///     thread.join()
public final class TestThread: Sendable {
  private let done = DispatchSemaphore(value: 0)

  /// Starts a thread that runs `body`.
  public init(_ body: @escaping @Sendable () -> Void) {
    let done = done
    Thread.detachNewThread {
      body()
      done.signal()
    }
  }

  /// Waits until the body has returned.
  public func join() {
    done.wait()
    done.signal()
  }
}

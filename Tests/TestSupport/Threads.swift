public import Dispatch
import Foundation

/// Runs `body` on so many threads at once and waits for all of them.
///
///     onThreads(4) { index in relay.send(index) }
///
/// No body begins before every thread is there, so that they meet.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
  let ready = DispatchGroup()
  let done = DispatchGroup()
  for index in 0..<count {
    ready.enter()
    done.enter()
    Thread.detachNewThread {
      ready.leave()
      ready.wait()
      body(index)
      done.leave()
    }
  }
  done.wait()
}

/// Runs `body` on a thread of its own and says whether it was done in time.
///
///     #expect(finishes { relay.send(1) })
///
/// A deadlock so becomes an issue instead of a test that hangs. The thread that hangs is left alone.
public func finishes(
  within limit: DispatchTimeInterval = .seconds(300), _ body: @escaping @Sendable () -> Void
) -> Bool {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  return done.wait(timeout: .now() + limit) == .success
}

/// Runs `body` on a thread of its own while the calling task is suspended.
///
///     let lines = try await onOwnThread { try takePart(in: path) }
///
/// It is for what blocks until another task or process has come as far, and so must hold none of the few threads that
/// all tasks share.
public func onOwnThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

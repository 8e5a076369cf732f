internal import CLocking

/// Threads of the platform, for work that waits and must not block the system's shared threads.
///
///     let isStarted = PlatformThread.start { wakeUp.sleep() }
public enum PlatformThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread, which ends with it.
  ///
  /// No other thread waits for the new one.
  ///
  /// - Returns: false if the system can't start another thread. Then `body` isn't run.
  public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let held = Unmanaged.passRetained(Body(body))
    let isStarted = sb_thread_start(
      { context in
        guard let context else { return }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
      }, held.toOpaque())
    if !isStarted { held.release() }
    return isStarted
  }
}

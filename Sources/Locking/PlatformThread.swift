internal import CLocking

/// Threads of the platform's own, for work that waits without using the system's shared ones.
public enum PlatformThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a thread of its own, which nobody waits for and which ends with it.
  ///
  /// - Returns: false if the system has no thread left; then `body` isn't run.
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

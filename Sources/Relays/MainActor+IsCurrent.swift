#if canImport(Dispatch)
internal import Dispatch

#if canImport(Darwin)
internal import Darwin
#endif

extension MainActor {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// True if the caller runs on the main actor, so that `assumeIsolated` succeeds.
  ///
  /// On Apple's systems, the main thread runs the main actor's jobs alone. Elsewhere the thread
  /// doesn't show this: if `main` is async, Linux leaves the main thread to other work after the
  /// first suspension. The main actor's jobs run on the main queue, and a queue can be identified,
  /// except in the `sync` of another queue.
  package static var isCurrent: Bool {
    #if canImport(Darwin)
    if pthread_main_np() != 0 { return true }
    #endif
    return DispatchQueue.getSpecific(key: key) ?? false
  }
}
#else
extension MainActor {
  /// False: without Dispatch there is one thread, or it can't be known, and the caller counts as
  /// elsewhere.
  package static var isCurrent: Bool { false }
}
#endif

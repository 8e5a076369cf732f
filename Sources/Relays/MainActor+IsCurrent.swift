#if canImport(Dispatch)
internal import Dispatch

extension MainActor {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// True if the caller runs on the main actor, so that `assumeIsolated` succeeds.
  ///
  /// The thread doesn't show this: if `main` is async, Linux leaves the main thread to other work
  /// after the first suspension. The main actor's jobs run on the main queue, and a queue can be
  /// identified.
  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
#else
extension MainActor {
  /// False: without Dispatch there is one thread, or it can't be known, and the caller counts as
  /// elsewhere.
  package static var isCurrent: Bool { false }
}
#endif

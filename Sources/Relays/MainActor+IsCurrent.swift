#if canImport(Dispatch)
internal import Dispatch

extension MainActor {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller runs on the main actor, so that `assumeIsolated` succeeds.
  ///
  /// The thread doesn't tell: where `main` is async, Linux leaves the main thread for others after
  /// the first suspension. The main actor's jobs run on the main queue, and a queue can be known.
  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
#else
extension MainActor {
  /// Without Dispatch there is one thread, or nobody can tell: the caller is taken to be elsewhere.
  package static var isCurrent: Bool { false }
}
#endif

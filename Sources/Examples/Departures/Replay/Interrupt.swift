import Foundation

/// A handler that turns Control-C, a request to terminate and the end of the terminal into a call,
/// as long as it exists.
///
/// If the end of the terminal is ignored when the program starts, as with `nohup`, it stays
/// ignored.
final class Interrupt: @unchecked Sendable {
  // These are protected by the lock.
  private var first: Int32?
  private var sources: [any DispatchSourceSignal] = []
  private let lock = NSLock()

  init(_ body: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number, SIG_IGN)
      let wasIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      if number == SIGHUP, wasIgnored { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in
        self?.note(number)
        body()
      }
      source.resume()
      sources.append(source)
    }
  }

  /// The first signal that arrived, or nil.
  var number: Int32? { lock.withLock { first } }

  private func note(_ number: Int32) { lock.withLock { first = first ?? number } }
}

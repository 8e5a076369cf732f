import Dispatch
import Foundation

/// Waits for the signal that ends the program: Control-C, or the system's request.
struct EndingSignals {
  private let ends: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init() {
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    self.ends = ends
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        continuation.yield()
        // A second one ends the program at once.
        signal(number, SIG_DFL)
      }
      source.resume()
      return source
    }
    // A closed connection is an error of its client, and not a signal.
    signal(SIGPIPE, SIG_IGN)
  }

  func wait() async { for await _ in ends { return } }
}

/// The number of files that the process may have open; each connection is one.
enum FileLimit {
  /// Raises it as far as the system allows.
  static func raise() {
    var limit = rlimit()
    #if canImport(Glibc)
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let kind = RLIMIT_NOFILE
    #endif
    guard getrlimit(kind, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(kind, &limit)
  }
}

import Foundation

/// Turns Control-C, and a polite request to end, into a call, as long as it lives.
final class Interrupt {
  private let sources: [any DispatchSourceSignal]

  init(_ body: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: body)
      source.resume()
      return source
    }
  }
}

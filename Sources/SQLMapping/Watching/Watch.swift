/// An object that keeps a poller running for as long as it exists.
package final class Watch: Sendable {
  private let end: @Sendable () -> Void

  package init(start: () -> Void, end: @escaping @Sendable () -> Void) {
    self.end = end
    start()
  }

  deinit { end() }
}

/// An object that keeps a poller running for as long as it exists.
final class FileWatch: Sendable {
  private let poller: FilePoller

  init(_ poller: FilePoller) {
    self.poller = poller
    poller.start()
  }

  deinit { poller.end() }
}

/// A poller that looks for as long as this is held.
final class FileWatch: Sendable {
  private let poller: FilePoller

  init(_ poller: FilePoller) {
    self.poller = poller
    poller.start()
  }

  deinit { poller.end() }
}

internal import Locking

/// A source that isn't kept, for the closures that it is made with.
final class WeakSource<Source: AnyObject & Sendable>: Sendable {
  private struct Box: Sendable {
    weak var source: Source?
  }

  private let box = Locked(Box())

  var source: Source? {
    get { box.withLock { $0.source } }
    set { box.withLock { $0.source = newValue } }
  }
}

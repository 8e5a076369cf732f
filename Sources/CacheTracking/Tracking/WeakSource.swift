internal import Locking

/// A weak reference to a source, for the closures that are created together with the source.
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

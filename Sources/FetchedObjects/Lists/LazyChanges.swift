internal import ListDiffing
internal import Locking

/// The changes of an event, computed on first access.
final class LazyChanges: Sendable {
  private let known: Locked<ListChanges?>
  private let make: @Sendable () -> ListChanges

  init(_ make: @escaping @Sendable () -> ListChanges) {
    known = Locked(nil)
    self.make = make
  }

  init(known changes: ListChanges) {
    known = Locked(changes)
    make = { changes }
  }

  var value: ListChanges {
    if let known = known.withLock({ $0 }) { return known }
    // Only the delivery context of the event runs this, so the changes are made once.
    let made = make()
    known.withLock { $0 = made }
    return made
  }
}

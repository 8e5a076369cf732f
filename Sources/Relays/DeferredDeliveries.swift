internal import Locking

/// Deliveries that a thread defers while it is inside the body of a commit.
///
/// A callback that ran there would read and change a commit that may still be undone. The body may
/// belong to one store and the delivery to another one. So this object belongs to the thread.
package final class DeferredDeliveries {
  /// The first of the queues, which is usually the only one.
  @exclusivity(unchecked) private var first: DeliveryQueue?
  @exclusivity(unchecked) private var others: [DeliveryQueue] = []
  /// The identities of the others, once there are so many that a search takes long.
  @exclusivity(unchecked) private var known: Set<ObjectIdentifier> = []
  /// Relays in which values that other threads have sent wait.
  ///
  /// A relay may occur several times. Going on with it again does nothing.
  @exclusivity(unchecked) private var relays: [RelayGate] = []
  @exclusivity(unchecked) private var depth = 1

  /// The deliveries that the calling thread defers, or nil if it defers none.
  static var current: DeferredDeliveries? {
    guard let pointer = UnsafeRawPointer(bitPattern: CurrentThread[.deferred]) else { return nil }
    return Unmanaged<DeferredDeliveries>.fromOpaque(pointer).takeUnretainedValue()
  }

  func add(_ queue: DeliveryQueue) {
    if first == nil {
      first = queue
    } else if first !== queue && isNew(queue) {
      others.append(queue)
    }
  }

  /// Returns whether `queue` isn't among the others; the caller adds it then.
  private func isNew(_ queue: DeliveryQueue) -> Bool {
    if others.count < 16 { return !others.contains { $0 === queue } }
    if known.isEmpty { known = Set(others.map { ObjectIdentifier($0) }) }
    return known.insert(ObjectIdentifier(queue)).inserted
  }

  func add(_ relay: RelayGate) {
    if relays.last !== relay { relays.append(relay) }
  }

  /// Begins to defer the deliveries of the calling thread.
  ///
  /// It delivers nothing until `end` has been called as often as `begin`.
  package static func begin() {
    if let current {
      current.depth += 1
    } else {
      CurrentThread[.deferred] = Int(
        bitPattern: Unmanaged.passRetained(DeferredDeliveries()).toOpaque())
    }
  }

  /// Ends what `begin` began; the outermost call delivers what was deferred.
  package static func end() {
    guard let current else { return }
    current.depth -= 1
    guard current.depth == 0 else { return }
    CurrentThread[.deferred] = 0
    let (first, others, relays) = (current.first, current.others, current.relays)
    Unmanaged.passUnretained(current).release()
    defer { for relay in relays { relay.goOnAfterBody() } }
    if others.isEmpty {
      first?.run()
      return
    }
    // Queues that run elsewhere are started first. Those that run here may take long, and nothing
    // should wait for them.
    let queues = [first].compactMap(\.self) + others
    for queue in queues where !queue.runsHere { queue.run() }
    for queue in queues where queue.runsHere { queue.run() }
  }
}

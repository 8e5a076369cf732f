internal import Locking

/// Deliveries that a thread puts off while it is inside the body of a commit.
///
/// A callback that ran there would see, and write to, a commit that may still be undone. The body may
/// be one store's and the delivery another's, so this belongs to the thread.
package final class DeferredDeliveries {
  /// The first of the queues, mostly the only one.
  @exclusivity(unchecked) private var first: DeliveryQueue?
  @exclusivity(unchecked) private var others: [DeliveryQueue] = []
  /// Relays of which others' values wait.
  @exclusivity(unchecked) private var relays: [RelayGate] = []
  @exclusivity(unchecked) private var depth = 1

  /// What the calling thread puts off, if it does.
  static var current: DeferredDeliveries? {
    guard let pointer = UnsafeRawPointer(bitPattern: CurrentThread.secondWord) else { return nil }
    return Unmanaged<DeferredDeliveries>.fromOpaque(pointer).takeUnretainedValue()
  }

  func add(_ queue: DeliveryQueue) {
    if first == nil {
      first = queue
    } else if first !== queue && !others.contains(where: { $0 === queue }) {
      others.append(queue)
    }
  }

  func add(_ relay: RelayGate) {
    if !relays.contains(where: { $0 === relay }) { relays.append(relay) }
  }

  /// From here on the calling thread delivers nothing, until as many calls of `end` have followed.
  package static func begin() {
    if let current {
      current.depth += 1
    } else {
      CurrentThread.secondWord = Int(
        bitPattern: Unmanaged.passRetained(DeferredDeliveries()).toOpaque())
    }
  }

  /// Ends what `begin` began; the outermost one delivers what was put off.
  package static func end() {
    guard let current else { return }
    current.depth -= 1
    guard current.depth == 0 else { return }
    CurrentThread.secondWord = 0
    let (first, others, relays) = (current.first, current.others, current.relays)
    Unmanaged.passUnretained(current).release()
    defer { for relay in relays { relay.goOnAfterBody() } }
    if others.isEmpty {
      first?.run()
      return
    }
    // Other places are set to work first: those that run here may take long, and nobody waits for them.
    let queues = [first].compactMap(\.self) + others
    for queue in queues where !queue.runsHere { queue.run() }
    for queue in queues where queue.runsHere { queue.run() }
  }
}

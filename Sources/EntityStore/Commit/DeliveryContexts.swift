internal import Locking
internal import Relays

/// The delivery contexts of a store that have listeners.
struct DeliveryContexts: Sendable {
  private struct Entry: Sendable {
    weak var context: DeliveryContext?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The number of entries above which those of released contexts are removed.
  private var sweep = 64

  /// Returns the context of a queue.
  mutating func context(of queue: DeliveryQueue) -> DeliveryContext {
    if let context = entries[ObjectIdentifier(queue)]?.context { return context }
    if entries.count > sweep {
      ReleasePool.add(entries.values.map(\.context))
      entries = entries.filter { $0.value.context != nil }
      sweep = max(64, 2 * entries.count)
    }
    let context = DeliveryContext(queue)
    entries[ObjectIdentifier(queue)] = Entry(context: context)
    return context
  }
}

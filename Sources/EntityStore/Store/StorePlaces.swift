internal import Locking
internal import Relays

/// The places where a store delivers, as far as anybody listens there.
struct StorePlaces: Sendable {
  private struct Entry: Sendable {
    weak var place: StorePlace?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// How many entries there are when those of places that have gone are next left out.
  private var sweep = 64

  /// The place of a queue; what else was looked at is to be released outside the lock.
  mutating func place(of queue: DeliveryQueue) -> (StorePlace, seen: [StorePlace?]) {
    if let place = entries[ObjectIdentifier(queue)]?.place { return (place, []) }
    var seen: [StorePlace?] = []
    if entries.count > sweep {
      seen = entries.values.map(\.place)
      entries = entries.filter { $0.value.place != nil }
      sweep = max(64, 2 * entries.count)
    }
    let place = StorePlace(queue)
    entries[ObjectIdentifier(queue)] = Entry(place: place)
    return (place, seen)
  }
}

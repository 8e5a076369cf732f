/// Elements in the order of their tickets, which leave from any position.
///
///     var names = TicketList<String>()
///     names.insert("Bob", ticket: 2)
///     names.insert("Ann", ticket: 1)
///     names.removeFirst()  // ("Ann", 1)
///
/// An element that leaves makes an empty slot, so those behind it aren't moved. At most half of the
/// slots are empty, except for 16. So *n* elements leave in O(*n* log *n*), in any order.
struct TicketList<Element: Sendable>: Sendable {
  /// The slots, in the order of their tickets, from `start` on.
  private(set) var slots: [(ticket: Int, element: Element?)] = []
  /// The position of the first element, before which all slots are empty.
  private var start = 0
  /// The number of elements.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The lowest ticket, or nil if there is no element.
  var firstTicket: Int? { isEmpty ? nil : slots[start].ticket }

  /// Inserts an element with a ticket that no other element has.
  ///
  /// - Complexity: O(1) behind all others, and usually before them, otherwise O(*n*).
  mutating func insert(_ element: Element, ticket: Int) {
    let place = place(of: ticket)
    count += 1
    if place < slots.count, slots[place].ticket == ticket {
      slots[place].element = element
    } else if place == start, start > 0 {
      start -= 1
      slots[start] = (ticket, element)
    } else {
      slots.insert((ticket, element), at: place)
    }
  }

  /// Removes the element with the lowest ticket, and returns both.
  mutating func removeFirst() -> (element: Element, ticket: Int)? {
    guard let ticket = firstTicket, let element = remove(ticket) else { return nil }
    return (element, ticket)
  }

  /// Removes the element with a ticket, and returns it, or nil if there is none.
  mutating func remove(_ ticket: Int) -> Element? {
    let place = place(of: ticket)
    guard place < slots.count, slots[place].ticket == ticket,
      let element = slots[place].element.take()
    else { return nil }
    count -= 1
    dropEmptySlots()
    return element
  }

  private mutating func dropEmptySlots() {
    if isEmpty {
      slots.removeAll(keepingCapacity: true)
      start = 0
      return
    }
    while slots[start].element == nil { start += 1 }
    if slots.count > 2 * count + 16 {
      slots.removeAll { $0.element == nil }
      start = 0
    }
  }

  /// Returns the first position whose ticket isn't below `ticket`.
  private func place(of ticket: Int) -> Int {
    var (low, high) = (start, slots.count)
    while low < high {
      let middle = low + (high - low) / 2
      if slots[middle].ticket < ticket { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
